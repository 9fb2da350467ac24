import type * as z from 'zod/mini';

/** Names of the types that a schema can expect. */
const TYPES: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
};

/**
 * Plain words for invalid input, where a schema has none of its own: the words of zod itself are for
 * programmers. Give it to every parse whose messages people may read.
 */
export const plainError: z.core.$ZodErrorMap = (issue) => {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined || issue.input === null) return 'This is required';
      return `Must be ${TYPES[issue.expected] ?? 'of another kind'}`;
    case 'too_big':
      return `Must ${limitPhrase(issue.origin, 'at most', issue.maximum)}`;
    case 'too_small':
      return `Must ${limitPhrase(issue.origin, 'at least', issue.minimum)}`;
    case 'invalid_value':
      return `Must be ${issue.values.map(String).join(' or ')}`;
    case 'invalid_format':
      if (issue.format === 'date') return 'Must be a date, such as 2026-12-01';
      if (issue.format === 'datetime')
        return 'Must be a date and time, such as 2026-12-01T15:00:00Z';
      return 'This is not written as it should be';
    case 'unrecognized_keys':
      return 'Unknown field';
    default:
      return 'This does not fit here';
  }
};

function limitPhrase(origin: string, bound: string, amount: number | bigint): string {
  // `z.int()` accepts the numbers that JavaScript stores exactly: those with up to 15 digits.
  if (Math.abs(Number(amount)) === Number.MAX_SAFE_INTEGER) return 'have at most 15 digits';
  if (origin === 'string') return `be ${bound} ${amount} characters`;
  return origin === 'array' ? `have ${bound} ${amount} entries` : `be ${bound} ${amount}`;
}
