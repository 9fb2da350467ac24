/** The schemas of the picture fields in multipart bodies. */
import * as z from 'zod/mini';
import { UploadedFile } from '#server/operations/catalogue/store_images.ts';
import { MAX_IMAGES } from './multipart.ts';

const DESCRIPTION =
  'JPEG, PNG, WebP or AVIF; at most 15 MB, 16,384 pixels a side and 50 megapixels (WebP, progressive JPEG and interlaced PNG 24, AVIF 12.5)';

/** `override` is the JSON schema in the API document: zod cannot convert a class. */
const UploadedFileSchema = z
  .instanceof(UploadedFile)
  .check(z.meta({ description: DESCRIPTION, override: { type: 'string', format: 'binary' } }));

/** The `file` field of an endpoint for one picture: the only one of the list that `multipart.ts` passes. */
export const ImageField = z
  .pipe(
    z.array(UploadedFileSchema, 'Choose a picture').check(z.maxLength(1, 'Send one picture')),
    z.transform(([file]: UploadedFile[], { issues }) => {
      if (file) return file;
      // The list is empty.
      issues.push({ code: 'custom', message: 'Choose a picture', input: file });
      return z.NEVER;
    }),
  )
  .check(
    z.meta({
      description: DESCRIPTION,
      // The API document shows one file instead of the list.
      override: ({ jsonSchema }) => {
        delete jsonSchema.items;
        delete jsonSchema.maxItems;
        Object.assign(jsonSchema, { type: 'string', format: 'binary' });
      },
    }),
  );

/** The `file` field of an endpoint for several pictures; `multipart.ts` limits their number. */
export const ImagesField = z
  .array(UploadedFileSchema, 'Choose at least one picture')
  .check(z.minLength(1), z.meta({ description: `At most ${MAX_IMAGES} pictures` }));
