import * as z from 'zod/mini';
import {
  BODY_LOCATIONS,
  PREFERRED_CONTACTS,
  TATTOO_SIZES,
} from '#domain/appointments/appointment_choices.ts';
import { phoneError, toE164 } from '#domain/clients/phone.ts';
import {
  Email,
  MAX_NAME_LENGTH,
  MAX_PRONOUNS_LENGTH,
  maxLength,
  optionalChoice,
  optionalText,
} from './text_fields.ts';

/** Parses to E.164, with +1 when the country code is missing; null when blank. */
export const Phone = z.pipe(
  z.nullish(
    z.string().check(z.trim(), maxLength(40, 'Invalid phone number'), ({ value, issues }) => {
      const message = value === '' ? null : phoneError(value);
      if (message !== null) issues.push({ code: 'custom', input: value, message });
    }),
  ),
  z.transform((typed: string | null | undefined) => (typed ? toE164(typed) : null)),
);

/**
 * The booking form for services and designs, as the browser validates it. The API also refuses names
 * with links and the like, and the form shows that at the field.
 */
export const AppointmentForm = z.strictObject({
  location: optionalChoice(BODY_LOCATIONS),
  size: optionalChoice(TATTOO_SIZES),
  customer_notes: optionalText(5000),
  first_name: optionalText(MAX_NAME_LENGTH),
  last_name: optionalText(MAX_NAME_LENGTH),
  pronouns: optionalText(MAX_PRONOUNS_LENGTH),
  phone_number: Phone,
  email: Email,
  preferred_contact: optionalChoice(PREFERRED_CONTACTS),
});
export type AppointmentForm = z.output<typeof AppointmentForm>;
export type AppointmentFormInput = z.input<typeof AppointmentForm>;
