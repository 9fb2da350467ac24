import * as z from 'zod/mini';
import { Id, line, Position } from './common.ts';

/** One `<source>` of a `<picture>`, best first. */
export const ImageSource = z.object({ type: z.string(), srcset: z.string() });

export const Image = z
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
export type Image = z.output<typeof Image>;

/** Fields left out keep their value. */
export const ImageChanges = z.partial(z.strictObject({ title: line(500), position: Position }));
export type ImageChanges = z.output<typeof ImageChanges>;
