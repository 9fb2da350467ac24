import * as z from 'zod/mini';

/** What an address of a share image may carry, so that a changed one is fetched anew. */
export const ShareImageQuery = z.object({
  v: z
    .optional(z.string())
    .check(
      z.meta({ description: 'Any word; it stands for what the image shows, and changes with it' }),
    ),
});

export const JpegBody = z
  .string()
  .check(z.meta({ description: 'The bytes of a JPEG', contentMediaType: 'image/jpeg' }));
