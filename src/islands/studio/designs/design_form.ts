import * as z from 'zod/mini';
import { type Design, DesignChanges } from '#contract/design.ts';
import { BODY_LOCATIONS } from '#domain/appointments/appointment_choices.ts';
import { DESIGN_STATUSES } from '#domain/studio/artwork.ts';
import {
  DESIGN_COLORS,
  MAX_DESIGN_MM,
  MAX_EDITIONS,
  sideUnit,
  toTypedSide,
} from '#domain/studio/design.ts';
import { parseDesignSide } from '#domain/text/side_input.ts';
import { toPlainText } from '#domain/text/typed_text.ts';
import { priceFormSchema, toPriceForm, typedFieldSchema } from '../money/price_form.ts';

/** How clients book a design: with a service that they choose (''), with one service, or for a length. */
const BOOKING_KINDS = ['', 'service', 'length'] as const;

const DEFAULT_MINUTES = 60;

/** The values of the form of a stored design. @param locale in which amounts and sizes are written */
export function toDesignForm(design: Design, locale: string) {
  const { name, description, status, service_id, duration, placements, color } = design;
  return {
    name,
    description,
    status,
    price: toPriceForm(design.price, locale),
    booking: toBookingKind(design),
    service_id: service_id ?? '',
    duration: duration ?? DEFAULT_MINUTES,
    placements: [...placements],
    color: color ?? '',
    ...toTypedFacts(design, locale),
  };
}

function toBookingKind({ service_id, duration }: Design): (typeof BOOKING_KINDS)[number] {
  if (service_id !== null) return 'service';
  return duration === null ? '' : 'length';
}

type DesignFormValues = z.output<ReturnType<typeof createFieldsSchema>>;

function createFieldsSchema(design: Design, currency: string, locale: string) {
  return z.object({
    name: z.string(),
    description: z.string(),
    status: z.enum(DESIGN_STATUSES),
    price: priceFormSchema(currency, locale),
    booking: z.enum(BOOKING_KINDS),
    service_id: z.string(),
    duration: z.number(),
    placements: z.array(z.enum(BODY_LOCATIONS)),
    color: z.enum(['', ...DESIGN_COLORS]),
    ...typedFactSchemas(design, locale),
  });
}

/** The schema of a stored design's form. Its output is the input of the API. @param locale a BCP 47 tag */
export function designFormSchema(design: Design, currency: string, locale: string) {
  return z.pipe(
    createFieldsSchema(design, currency, locale).check(
      z.refine(({ booking, service_id }) => booking !== 'service' || service_id !== '', {
        path: ['service_id'],
        error: 'Choose a service',
      }),
      // Shows what the API refuses about the name, the description and the length beside their fields.
      ({ value, issues }) => {
        const { name, description, booking, duration } = value;
        const checked = DesignChanges.safeParse(
          booking === 'length' ? { name, description, duration } : { name, description },
        );
        for (const { path, message } of checked.error?.issues ?? [])
          issues.push({ code: 'custom', input: value, message, path: [...path] });
      },
    ),
    z.transform(toChanges),
  );
}

function toChanges(values: DesignFormValues): DesignChanges {
  const { booking, service_id, duration, color, ...others } = values;
  const changes = { ...others, color: color === '' ? null : color };
  // In the API, a service removes the length of a design, and a length the service.
  if (booking === 'service') return { ...changes, service_id };
  if (booking === 'length') return { ...changes, duration };
  return { ...changes, service_id: null, duration: null };
}

/** The size and the editions of a design as its fields show them; '' for null. */
export function toTypedFacts({ width_mm, height_mm, editions }: Design, locale: string) {
  const toText = (side: number | null) => (side === null ? '' : toTypedSide(side, locale));
  return {
    width_mm: toText(width_mm),
    height_mm: toText(height_mm),
    editions: editions === null ? '' : String(editions),
  };
}

/** The schemas of the texts of `toTypedFacts`, as typed by the artist. @param design as it is stored */
export function typedFactSchemas({ width_mm, height_mm }: Design, locale: string) {
  return {
    width_mm: sideFieldSchema(width_mm, locale),
    height_mm: sideFieldSchema(height_mm, locale),
    /** How often it may be tattooed; null: without limit. */
    editions: typedFieldSchema((typed) => {
      const text = toPlainText(typed);
      const count = Number(text);
      const isValid = /^\d+$/.test(text) && count >= 1 && count <= MAX_EDITIONS;
      return isValid ? { value: count } : { error: `Must be 1 to ${MAX_EDITIONS}, or empty` };
    }),
  };
}

/**
 * The schema of one side, typed in the unit of the locale; its output is millimeters.
 * @param stored the saved side. The field shows it rounded; a text that is not changed keeps all its digits.
 */
function sideFieldSchema(stored: number | null, locale: string) {
  const shown = stored === null ? null : toTypedSide(stored, locale);
  const largest = toTypedSide(MAX_DESIGN_MM, locale);
  return typedFieldSchema((typed) => {
    const side = typed === shown ? stored : parseDesignSide(typed, locale);
    const error = `Must be a length up to ${largest} ${sideUnit(locale)}`;
    return side === null ? { error } : { value: side };
  });
}
