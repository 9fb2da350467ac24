const INVALID_EMAIL = 'Invalid email address';

/** Invalid client details, with the message that both the forms and the API return. */
export const INVALID_DETAILS = [
  emailCase('no email', '', 'Email is required'),
  emailCase('half an email', 'rosa@', INVALID_EMAIL),
  emailCase('an email without a top level', 'rosa@example', INVALID_EMAIL),
  phoneCase('too short a phone number', '555 01'),
  phoneCase('words for a phone number', 'call me'),
  phoneCase(
    'a phone number abroad without its country code',
    '0170 1234567',
    'This is no number in the US or Canada. For another country, begin with + and its code.',
  ),
  tooLong('a first name', 'first_name', 'First name', 80),
  tooLong('a last name', 'last_name', 'Last name', 80),
  tooLong('pronouns', 'pronouns', 'Pronouns', 50),
  tooLong('notes', 'customer_notes', 'Notes', 5000),
] as const;

function emailCase(description: string, input: string, message: string) {
  return { description, name: 'email', label: 'Email (required)', input, message } as const;
}

function phoneCase(description: string, input: string, message = 'Invalid phone number') {
  return { description, name: 'phone_number', label: 'Phone number', input, message } as const;
}

function tooLong<const Name extends string, const Label extends string>(
  description: string,
  name: Name,
  label: Label,
  max: number,
) {
  const message = `Must be at most ${max} characters`;
  return {
    description: `too long ${description}`,
    name,
    label,
    input: 'x'.repeat(max + 1),
    message,
  };
}
