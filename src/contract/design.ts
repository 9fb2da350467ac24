import * as z from 'zod/mini';
import { BODY_LOCATIONS } from '#domain/appointments/appointment_choices.ts';
import { DESIGN_STATUSES } from '#domain/studio/artwork.ts';
import { DESIGN_COLORS, MAX_DESIGN_MM, MAX_EDITIONS } from '#domain/studio/design.ts';
import { Id, namedObject, Position, trimmedText } from './common.ts';
import { UploadedImage } from './image.ts';
import { nameText } from './names.ts';
import { Price, PriceInput } from './price.ts';
import { Minutes } from './service.ts';

export const Design = namedObject('Design', {
  id: Id,
  name: z.string(),
  description: z.string(),
  status: z.enum(DESIGN_STATUSES),
  image: UploadedImage,
  price: z.nullable(Price),
  duration: z.nullable(z.int()).check(z.describe('Minutes; null without a length of its own')),
  service_id: z
    .nullable(Id)
    .check(z.describe('The service with which it is booked; null if the client chooses one')),
  width_mm: z.nullable(z.int()),
  height_mm: z.nullable(z.int()),
  placements: z.array(z.enum(BODY_LOCATIONS)).check(z.describe('Where on the body it fits')),
  color: z.nullable(z.enum(DESIGN_COLORS)),
  editions: z
    .nullable(z.int())
    .check(z.describe('How often it may be tattooed; null without limit')),
  left: z
    .nullable(z.int())
    .check(z.describe('How many of its editions nobody has taken; null without limit')),
});
export type Design = z.output<typeof Design>;

const SIZE_ERROR = `Must be 1 to ${MAX_DESIGN_MM} millimeters`;
const Millimeters = z
  .int(SIZE_ERROR)
  .check(z.minimum(1, SIZE_ERROR), z.maximum(MAX_DESIGN_MM, SIZE_ERROR));

const EDITIONS_ERROR = `Must be 1 to ${MAX_EDITIONS}`;

const designFields = {
  name: nameText('Name is required'),
  description: trimmedText(2000).check(
    z.describe('Describes the picture; also its alternative text'),
  ),
  status: z.enum(DESIGN_STATUSES),
};

/** Fields that only a change sets: a new design is a multipart form, which has only texts. */
const designFacts = {
  price: PriceInput,
  duration: z
    .nullable(Minutes)
    .check(z.describe('A length of its own; removes its service, as it has one of both')),
  service_id: z.nullable(Id).check(z.describe('A service of the artist; removes its own length')),
  width_mm: z.nullable(Millimeters),
  height_mm: z.nullable(Millimeters),
  placements: z.array(z.enum(BODY_LOCATIONS)).check(
    z.maxLength(BODY_LOCATIONS.length),
    z.overwrite((list) => [...new Set(list)]),
  ),
  color: z.nullable(z.enum(DESIGN_COLORS)),
  editions: z.nullable(
    z
      .int(EDITIONS_ERROR)
      .check(z.minimum(1, EDITIONS_ERROR), z.maximum(MAX_EDITIONS, EDITIONS_ERROR)),
  ),
};

/** The form fields beside the uploaded picture, which is named `file`. */
export const NewDesign = z.strictObject({
  ...designFields,
  description: z._default(designFields.description, ''),
  status: z._default(z.enum(['available', 'draft']), 'available'),
});
export type NewDesign = z.output<typeof NewDesign>;

/** Fields left out keep their value. */
export const DesignChanges = z
  .partial(z.strictObject({ ...designFields, ...designFacts, position: Position }))
  .check(
    z.refine(({ duration = null, service_id = null }) => duration === null || service_id === null, {
      path: ['duration'],
      error: 'Choose a service or a length, not both',
    }),
  );
export type DesignChanges = z.output<typeof DesignChanges>;
