import { expect, test } from 'vitest';
import * as z from 'zod';
import { InvalidRequest, parseInput } from '#server/api/input.ts';
import { ROUTES } from '#server/api/routes.ts';

/** The words of zod, which no person should read. */
const RAW_WORDS =
  /invalid (input|option|string|number|key|element)|expected|received|too (big|small)|unrecognized|pattern|must (match|start|end|include)|[<>]=|\bUUID\b|\bGUID\b|\bNaN\b|\d{16}/i;

/** Values that some field refuses. */
const WRONG_VALUES: readonly unknown[] = [
  ...[undefined, null, true, 7, -1, 0.5, 1e12, 1e300, -1e300, Number.NaN, Number.POSITIVE_INFINITY],
  ...['', 'x', 'x'.repeat(20_000), 'not-an-id', '2026-13-01', '1999-01-01T00:00:30Z', '\u0000'],
  ...[[], [null], ['x'], [{}], Array(200).fill('x'), {}, { unknown: 1 }],
];

/** Objects with one wrong field each; the others are left out. */
function wrongInputs(schema: z.core.JSONSchema.BaseSchema): unknown[] {
  const options = [
    schema,
    ...(schema.anyOf ?? []),
    ...(schema.oneOf ?? []),
    ...(schema.allOf ?? []),
  ];
  const fields = options.flatMap((option) =>
    typeof option === 'object' ? Object.entries(option.properties ?? {}) : [],
  );
  const nested = fields.flatMap(([name, field]) =>
    (typeof field === 'object' ? wrongInputs(field) : WRONG_VALUES).map((value) => ({
      [name]: value,
    })),
  );
  const items = options.flatMap(({ items: item }) =>
    typeof item === 'object' && !Array.isArray(item) ? wrongInputs(item).map((one) => [one]) : [],
  );
  return [...WRONG_VALUES, ...nested, ...items];
}

function messagesOf(schema: z.core.$ZodType, input: unknown): string[] {
  try {
    parseInput(schema, input);
    return [];
  } catch (error) {
    if (error instanceof InvalidRequest) return error.items.map(({ msg }) => msg);
    throw error;
  }
}

const SCHEMAS = ROUTES.flatMap(({ method, path, input }) =>
  Object.entries(input).map(([part, schema]) => ({ call: `${method} ${path} ${part}`, schema })),
);

test('no wrong input is answered in the words of the validator, of every kind of refusal', () => {
  const all = new Set<string>();
  for (const { call, schema } of SCHEMAS) {
    const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', cycles: 'ref' });
    const messages = new Set(wrongInputs(json).flatMap((input) => messagesOf(schema, input)));
    expect(
      [...messages].filter((message) => RAW_WORDS.test(message)),
      call,
    ).toEqual([]);
    for (const message of messages) all.add(message);
  }
  for (const message of [
    'This is required',
    'Must be text',
    'Must be true or false',
    'Must have at most 15 digits',
    'Must be upcoming or past',
    'This is not a valid id',
  ])
    expect(all).toContain(message);
});
