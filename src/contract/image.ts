import * as z from 'zod/mini';
import { Id, namedObject, Position, trimmedText } from './common.ts';

/** One `<source>` of a `<picture>`; lists of them start with the best format. */
export const ImageSource = z.object({ type: z.string(), srcset: z.string() });

export const UploadedImage = namedObject('Image', {
  id: Id,
  file_url: z.string(),
  title: z.string().check(z.describe('Describes the picture; its alternative text')),
  width: z.int(),
  height: z.int(),
  sources: z.array(ImageSource),
  placeholder: z
    .nullable(z.string())
    .check(z.describe('A tiny preview as a data URI, to show until the file is loaded')),
});
export type UploadedImage = z.output<typeof UploadedImage>;

/** Fields left out keep their value. */
export const ImageChanges = z.partial(
  z.strictObject({ title: trimmedText(500), position: Position }),
);
export type ImageChanges = z.output<typeof ImageChanges>;
