// What the client types into the form to book or to request an appointment.
import {
  BODY_LOCATIONS,
  PREFERRED_CONTACTS,
  TATTOO_SIZES,
} from '#domain/appointments/appointment_choices.ts';
import { CLIENT_DETAIL_FIELDS } from '#domain/clients/client_details.ts';

/** The fields of the form to book or to request an appointment, in the form's order. */
export const DETAIL_FIELDS = [
  'location',
  'size',
  'customer_notes',
  ...CLIENT_DETAIL_FIELDS,
] as const;
export type DetailField = (typeof DETAIL_FIELDS)[number];

/** The values in the form; '' is a blank field, or a choice that is not made. */
export interface Details extends Record<DetailField, string> {
  location: '' | (typeof BODY_LOCATIONS)[number];
  size: '' | (typeof TATTOO_SIZES)[number];
  preferred_contact: '' | (typeof PREFERRED_CONTACTS)[number];
}

export const BLANK_DETAILS: Details = toDetails(() => '');

/** Collects the text of each field, for example from a draft; unknown choices become ''. */
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

/** Whether nothing is typed or chosen. */
export function isBlank(details: Details): boolean {
  return DETAIL_FIELDS.every((field) => details[field] === '');
}

/** Finds the field with this name; null when the form has none. */
export function toDetailField(name: unknown): DetailField | null {
  return DETAIL_FIELDS.find((field) => field === name) ?? null;
}

function toChoice<T extends string>(choices: readonly T[], text: string): T | '' {
  return choices.find((choice) => choice === text) ?? '';
}
