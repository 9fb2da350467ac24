import * as z from 'zod/mini';
import { Id } from './common.ts';

/** One `<source>` of a `<picture>`, best first. */
const ImageSource = z.object({ type: z.string(), srcset: z.string() });

export const Image = z
  .object({
    id: Id,
    file_url: z.string(),
    title: z.string().check(z.meta({ description: 'What one sees; the alternative text' })),
    width: z.int(),
    height: z.int(),
    sources: z.array(ImageSource),
  })
  .check(z.meta({ id: 'Image' }));
export type Image = z.output<typeof Image>;
