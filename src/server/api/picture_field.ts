import * as z from 'zod/mini';
import { ReceivedFile } from '#server/operations/take_pictures.ts';
import { MAX_PICTURES } from './multipart.ts';

const description = 'JPEG, PNG, WebP or AVIF; at most 15 MB and 50 megapixels';

const File = z
  .instanceof(ReceivedFile)
  .check(z.meta({ description, override: { type: 'string', format: 'binary' } }));

/** The `file` of a call that takes one picture. */
export const Picture = z
  .pipe(
    z.array(File, 'Choose a picture').check(z.maxLength(1, 'Send one picture')),
    z.transform(([file]: ReceivedFile[], { issues }) => {
      if (file) return file;
      issues.push({ code: 'custom', message: 'Choose a picture', input: file });
      return z.NEVER;
    }),
  )
  .check(
    z.meta({
      description,
      override: ({ jsonSchema }) => {
        delete jsonSchema.items;
        delete jsonSchema.maxItems;
        Object.assign(jsonSchema, { type: 'string', format: 'binary' });
      },
    }),
  );

/** The `file` of a call that takes several pictures. */
export const Pictures = z
  .array(File, 'Choose at least one picture')
  .check(z.minLength(1), z.meta({ description: `At most ${MAX_PICTURES} pictures` }));
