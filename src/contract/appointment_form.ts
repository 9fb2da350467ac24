import * as z from 'zod/mini';
import { BODY_LOCATIONS, PREFERRED_CONTACTS, TATTOO_SIZES } from '#domain/appointment.ts';
import { toE164 } from '#domain/phone.ts';
import { Email, optionalChoice, optionalName, optionalText } from './common.ts';

/** Parses to E.164, with +1 when the country code is missing; null when blank. */
export const Phone = z.pipe(
  z.nullish(
    z.string().check(
      z.trim(),
      z.maxLength(40, 'Invalid phone number'),
      z.refine((typed) => typed === '' || toE164(typed) !== null, 'Invalid phone number'),
    ),
  ),
  z.transform((typed: string | null | undefined) => (typed ? toE164(typed) : null)),
);

/** The booking form for services and designs; the browser and the API validate with this schema. */
export const AppointmentForm = z.strictObject({
  location: optionalChoice(BODY_LOCATIONS),
  size: optionalChoice(TATTOO_SIZES),
  customer_notes: optionalText(5000),
  first_name: optionalName(),
  last_name: optionalName(),
  pronouns: optionalName(50),
  phone_number: Phone,
  email: Email,
  preferred_contact: optionalChoice(PREFERRED_CONTACTS),
});
export type AppointmentForm = z.output<typeof AppointmentForm>;
export type AppointmentFormInput = z.input<typeof AppointmentForm>;
