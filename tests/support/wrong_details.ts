const INVALID_EMAIL = 'Invalid email address';
const INVALID_PHONE = 'Invalid phone number';
const atMost = (max: number) => `Must be at most ${max} characters`;

/** What a client may get wrong in either form, and how both the form and the API answer it. */
export const WRONG_DETAILS = [
  email('no email', '', 'Email is required'),
  email('half an email', 'rosa@', INVALID_EMAIL),
  email('an email without a top level', 'rosa@example', INVALID_EMAIL),
  phone('too short a phone number', '555 01'),
  phone('words for a phone number', 'call me'),
  {
    what: 'too long a first name',
    name: 'first_name',
    label: 'First name',
    typed: 'R'.repeat(101),
    message: atMost(100),
  },
  {
    what: 'too long a last name',
    name: 'last_name',
    label: 'Last name',
    typed: 'Q'.repeat(101),
    message: atMost(100),
  },
  {
    what: 'too long pronouns',
    name: 'pronouns',
    label: 'Pronouns',
    typed: 'x'.repeat(51),
    message: atMost(50),
  },
  {
    what: 'too long notes',
    name: 'customer_notes',
    label: 'Notes',
    typed: 'n'.repeat(5001),
    message: atMost(5000),
  },
] as const;

function email(what: string, typed: string, message: string) {
  return { what, name: 'email', label: 'Email (required)', typed, message } as const;
}

function phone(what: string, typed: string) {
  const message = INVALID_PHONE;
  return { what, name: 'phone_number', label: 'Phone number', typed, message } as const;
}
