import * as z from 'zod/mini';
import { type Design, DesignChanges } from '#contract/design.ts';
import { BODY_LOCATIONS } from '#domain/appointment_choices.ts';
import { DESIGN_STATUSES } from '#domain/artwork.ts';
import { DESIGN_COLORS } from '#domain/design.ts';
import { priceFormSchema, toPriceForm } from '../money/price_form.ts';
import { editionsFieldSchema, sideFieldSchema, toTypedFacts } from './design_fields.ts';

/** How clients book a design; empty: with a service that they choose. */
const BOOKING_KINDS = ['', 'service', 'length'] as const;

/** The values of the form, from those of the design. @param locale in which sizes are written */
export function toDesignForm(design: Design, locale: string) {
  const { name, description, status, service_id, duration, placements, color } = design;
  return {
    name,
    description,
    status,
    price: toPriceForm(design.price, locale),
    booking: toBookingKind(design),
    service_id: service_id ?? '',
    duration: duration ?? 60,
    placements: [...placements],
    color: color ?? '',
    ...toTypedFacts(design, locale),
  };
}

function toBookingKind({ service_id, duration }: Design): (typeof BOOKING_KINDS)[number] {
  if (service_id !== null) return 'service';
  return duration === null ? '' : 'length';
}

type DesignFormValues = z.output<ReturnType<typeof createFields>>;

function createFields(design: Design, currency: string, locale: string) {
  return z.object({
    name: z.string(),
    description: z.string(),
    status: z.enum(DESIGN_STATUSES),
    price: priceFormSchema(currency, locale),
    booking: z.enum(BOOKING_KINDS),
    service_id: z.string(),
    duration: z.number(),
    width: sideFieldSchema(design.width_mm, locale),
    height: sideFieldSchema(design.height_mm, locale),
    placements: z.array(z.enum(BODY_LOCATIONS)),
    color: z.enum(['', ...DESIGN_COLORS]),
    editions: editionsFieldSchema,
  });
}

/**
 * The schema of the form of a design. Its output is what the API takes.
 * @param design as it is stored
 * @param currency of the price
 * @param locale in which amounts and sizes are written, a BCP 47 tag
 */
export function designFormSchema(design: Design, currency: string, locale: string) {
  return z.pipe(
    createFields(design, currency, locale).check(
      z.refine(({ booking, service_id }) => booking !== 'service' || service_id !== '', {
        path: ['service_id'],
        error: 'Choose a service',
      }),
      // The API's own checks of the name, the description and the length, at their fields.
      ({ value, issues }) => {
        const { name, description, booking, duration } = value;
        const checked = DesignChanges.safeParse({
          ...{ name, description },
          ...(booking === 'length' && { duration }),
        });
        for (const { path, message } of checked.error?.issues ?? [])
          issues.push({ code: 'custom', input: value, message, path: [...path] });
      },
    ),
    z.transform(toChanges),
  );
}

function toChanges(values: DesignFormValues): DesignChanges {
  const { booking, service_id, duration, width, height, color, ...rest } = values;
  return {
    ...rest,
    // A length removes the service, and a service the length.
    ...(booking === '' && { service_id: null, duration: null }),
    ...(booking === 'service' && { service_id }),
    ...(booking === 'length' && { duration }),
    width_mm: width,
    height_mm: height,
    color: color === '' ? null : color,
  };
}
