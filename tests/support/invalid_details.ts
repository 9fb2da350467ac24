const INVALID_EMAIL = 'Invalid email address';

/** What a client may get wrong in either form, and how both the form and the API answer it. */
export const INVALID_DETAILS = [
  emailCase('no email', '', 'Email is required'),
  emailCase('half an email', 'rosa@', INVALID_EMAIL),
  emailCase('an email without a top level', 'rosa@example', INVALID_EMAIL),
  phoneCase('too short a phone number', '555 01'),
  phoneCase('words for a phone number', 'call me'),
  tooLong('a first name', 'first_name', 'First name', 100),
  tooLong('a last name', 'last_name', 'Last name', 100),
  tooLong('pronouns', 'pronouns', 'Pronouns', 50),
  tooLong('notes', 'customer_notes', 'Notes', 5000),
] as const;

function emailCase(what: string, typed: string, message: string) {
  return { what, name: 'email', label: 'Email (required)', typed, message } as const;
}

function phoneCase(what: string, typed: string) {
  const message = 'Invalid phone number';
  return { what, name: 'phone_number', label: 'Phone number', typed, message } as const;
}

function tooLong<const Name extends string, const Label extends string>(
  what: string,
  name: Name,
  label: Label,
  most: number,
) {
  const message = `Must be at most ${most} characters`;
  return { what: `too long ${what}`, name, label, typed: 'x'.repeat(most + 1), message };
}
