import * as z from 'zod/mini';
import { Id, Position, trimmedText } from './common.ts';

/** One `<source>` of a `<picture>`, best first. */
export const ImageSource = z.object({ type: z.string(), srcset: z.string() });

export const UploadedImage = z
  .object({
    id: Id,
    file_url: z.string(),
    title: z.string().check(z.meta({ description: 'What one sees; the alternative text' })),
    width: z.int(),
    height: z.int(),
    sources: z.array(ImageSource),
    placeholder: z
      .nullable(z.string())
      .check(
        z.meta({ description: 'A few pixels as a data URI, to show until the file is there' }),
      ),
  })
  .check(z.meta({ id: 'Image' }));
export type UploadedImage = z.output<typeof UploadedImage>;

/** Fields left out keep their value. */
export const ImageChanges = z.partial(
  z.strictObject({ title: trimmedText(500), position: Position }),
);
export type ImageChanges = z.output<typeof ImageChanges>;
