import * as z from 'zod/mini';
import { DESIGN_STATUSES } from '#domain/artwork.ts';
import { Id, namedObject, Position, trimmedText } from './common.ts';
import { UploadedImage } from './image.ts';
import { nameText } from './names.ts';

export const Design = namedObject('Design', {
  id: Id,
  name: z.string(),
  description: z.string(),
  status: z.enum(DESIGN_STATUSES),
  image: UploadedImage,
});
export type Design = z.output<typeof Design>;

const designFields = {
  name: nameText('Name is required'),
  description: trimmedText(2000).check(
    z.describe('Describes the picture; also its alternative text'),
  ),
};

/** The form fields beside the uploaded picture, which is named `file`. */
export const NewDesign = z.strictObject({
  ...designFields,
  description: z._default(designFields.description, ''),
});
export type NewDesign = z.output<typeof NewDesign>;

/** Fields left out keep their value. */
export const DesignChanges = z.partial(
  z.strictObject({ ...designFields, status: z.enum(DESIGN_STATUSES), position: Position }),
);
export type DesignChanges = z.output<typeof DesignChanges>;
