import * as z from 'zod/mini';
import { trimmedText } from '#contract/common.ts';
import { emailError } from '#domain/email.ts';
import { phoneError } from '#domain/phone.ts';
import type { StudioZone } from '#domain/zone_offsets.ts';
import { detailFields } from './details_form.ts';
import { TIME_FIELDS, timeChecks } from './time_form.ts';

/**
 * The form as typed, in the studio's `zone`. The fields in `client` count for a new client only.
 * @param currency of the price
 * @param locale in which the amounts are written, a BCP 47 tag
 */
export function newAppointmentSchema(zone: StudioZone, currency: string, locale: string) {
  return z
    .object({
      ...TIME_FIELDS,
      who: z.enum(['new', 'known']),
      client_id: z.string(),
      client_name: z.string(),
      client: z.object({
        first_name: trimmedText(100),
        last_name: trimmedText(100),
        email: trimmedText(254),
        phone_number: trimmedText(40),
        pronouns: trimmedText(50),
      }),
      ...detailFields(currency, locale),
      customer_notes: trimmedText(5000),
    })
    .check(
      ...timeChecks(zone, false),
      z.refine(({ who, client_id }) => who === 'new' || client_id !== '', {
        path: ['client_id'],
        error: 'Pick a client, or enter a new one',
      }),
      z.refine(
        ({ who, client }) =>
          who === 'known' || `${client.first_name}${client.last_name}${client.email}` !== '',
        { path: ['client', 'first_name'], error: 'A name or an email is required' },
      ),
      ({ value: { who, client }, issues }) => {
        if (who === 'known') return;
        const errors = {
          email: client.email === '' ? null : emailError(client.email),
          phone_number: client.phone_number === '' ? null : phoneError(client.phone_number),
        };
        for (const [field, message] of Object.entries(errors))
          if (message !== null)
            issues.push({ code: 'custom', path: ['client', field], input: client, message });
      },
    );
}
export type NewAppointmentForm = z.output<ReturnType<typeof newAppointmentSchema>>;

export const BLANK_APPOINTMENT = {
  who: 'new',
  client_id: '',
  client_name: '',
  client: { first_name: '', last_name: '', email: '', phone_number: '', pronouns: '' },
  service_id: '',
  design_id: '',
  price: { kind: '', amount: '', amount_to: '' },
  note: '',
  private_notes: '',
  private_version: 0,
  customer_notes: '',
} as const;
