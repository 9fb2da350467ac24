import * as z from 'zod/mini';

/** We ignore `v`: a new `v` only makes a new URL, so that social networks fetch a changed image. */
export const ShareImageQuery = z.object({
  v: z
    .optional(z.string())
    .check(z.meta({ description: 'Any word that changes when the image does' })),
});

/** Describes a JPEG response in the API document; the operation returns the bytes. */
export const JpegBody = z.instanceof(Uint8Array).check(
  z.meta({
    description: 'The bytes of a JPEG',
    override: { type: 'string', contentMediaType: 'image/jpeg' },
  }),
);
