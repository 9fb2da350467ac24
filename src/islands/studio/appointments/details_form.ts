import * as z from 'zod/mini';
import type { Appointment } from '#contract/appointment.ts';
import { trimmedText } from '#contract/common.ts';
import { priceFormSchema, toPriceForm } from '../money/price_form.ts';

/**
 * The fields of what an appointment is about. An empty id means none.
 * @param currency of the price
 * @param locale in which the amounts are written, a BCP 47 tag
 */
export function detailFields(currency: string, locale: string) {
  return {
    service_id: z.string(),
    design_id: z.string(),
    price: priceFormSchema(currency, locale),
    note: trimmedText(2000),
    private_notes: trimmedText(5000),
    private_version: z.int(),
  };
}

type BookedDetails = Pick<Appointment, 'service' | 'design' | 'price'>;

/** The initial values of the fields that a next session shares. */
export function toDetailsForm({ service, design, price }: BookedDetails, locale: string) {
  return {
    service_id: service?.id ?? '',
    design_id: design?.id ?? '',
    price: toPriceForm(price, locale),
  };
}
