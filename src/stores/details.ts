import { BODY_LOCATIONS, PREFERRED_CONTACTS, TATTOO_SIZES } from '#domain/appointment.ts';

/** The request form as typed; '' is blank or not chosen. */
export interface Details {
  location: '' | (typeof BODY_LOCATIONS)[number];
  size: '' | (typeof TATTOO_SIZES)[number];
  customer_notes: string;
  first_name: string;
  last_name: string;
  pronouns: string;
  phone_number: string;
  email: string;
  preferred_contact: '' | (typeof PREFERRED_CONTACTS)[number];
}
export type DetailField = keyof Details;

/** In the order of the page. */
export const DETAIL_FIELDS = [
  'location',
  'size',
  'customer_notes',
  'first_name',
  'last_name',
  'pronouns',
  'phone_number',
  'email',
  'preferred_contact',
] as const satisfies readonly DetailField[];

export const BLANK_DETAILS: Details = toDetails(() => '');

/** Details from text that may be anything, such as what a browser kept. */
export function toDetails(textOf: (field: DetailField) => string): Details {
  return {
    location: toChoice(BODY_LOCATIONS, textOf('location')),
    size: toChoice(TATTOO_SIZES, textOf('size')),
    customer_notes: textOf('customer_notes'),
    first_name: textOf('first_name'),
    last_name: textOf('last_name'),
    pronouns: textOf('pronouns'),
    phone_number: textOf('phone_number'),
    email: textOf('email'),
    preferred_contact: toChoice(PREFERRED_CONTACTS, textOf('preferred_contact')),
  };
}

/** Whether nothing was typed or chosen. */
export function isBlank(details: Details): boolean {
  return DETAIL_FIELDS.every((field) => details[field] === '');
}

/** The form's field of that name, or null when it has none. */
export function toDetailField(name: unknown): DetailField | null {
  return DETAIL_FIELDS.find((field) => field === name) ?? null;
}

function toChoice<T extends string>(choices: readonly T[], text: string): T | '' {
  return choices.find((choice) => choice === text) ?? '';
}
