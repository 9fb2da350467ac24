import { randomUUID } from 'node:crypto';
import type { ImageFormat, ImageKind } from '#domain/artwork.ts';
import { InvalidInput, refuse } from '#domain/refusal.ts';
import { violatedConstraint } from '#server/database/connect.ts';
import { DamagedPicture, VARIANT_WIDTHS } from '#server/images/picture_encoder.ts';
import type { Context } from './context.ts';
import { deleteImageFiles } from './to_image.ts';

/** A file that was sent; it lasts as long as its call. */
export class UploadedFile {
  readonly path: string;
  readonly bytes: number;

  constructor(path: string, bytes: number) {
    this.path = path;
    this.bytes = bytes;
  }
}

/** Where in a request a picture is, such as `['body', 'file', 2]`. */
type InputPath = readonly (string | number)[];

/** A file and where in its request it was. */
export interface UploadedImage {
  readonly file: UploadedFile;
  readonly inputPath: InputPath;
}

/**
 * Judges files by what they begin with, before anything else of their call is.
 * @throws Refusal `not_a_picture`, `picture_too_large`
 * @throws InvalidInput when one is empty or ends too soon
 */
export async function validateImages(
  { encoder }: Context,
  sent: readonly UploadedImage[],
): Promise<void> {
  let invalid: InvalidInput | undefined;
  for (const { file, inputPath: place } of sent)
    try {
      if (file.bytes === 0) invalid ??= new InvalidInput(place, 'This file is empty');
      else await encoder.validate(file.path);
    } catch (error) {
      if (!(error instanceof DamagedPicture)) throw error;
      invalid ??= damagedImage(place);
    }
  if (invalid) throw invalid;
}

/** The row of a picture that is stored. */
export interface StoredImage {
  readonly id: string;
  readonly artist_id: string;
  readonly kind: ImageKind;
  readonly width: number;
  readonly height: number;
  readonly widths: number[];
  readonly formats: ImageFormat[];
  readonly placeholder: string | null;
}

/**
 * Stores pictures and saves what becomes of them: all of it or nothing.
 * @param save gets the pictures in the order they were sent
 * @throws Refusal `busy`, `unavailable` when the store is down
 * @throws InvalidInput when one cannot be read to its end
 */
export async function storeImages<T>(
  context: Context,
  artistId: string,
  kind: ImageKind,
  sent: readonly UploadedImage[],
  save: (pictures: readonly StoredImage[]) => Promise<T>,
): Promise<T> {
  const begun: string[] = [];
  try {
    const pictures: StoredImage[] = [];
    for (const one of sent) {
      const id = randomUUID();
      begun.push(id);
      pictures.push(await encodeAndStore(context, { id, artist_id: artistId, kind }, one));
    }
    const saved = await save(pictures);
    for (const id of begun) context.avifConverter.add(id);
    return saved;
  } catch (error) {
    await deleteImageFiles(context, begun);
    // The account was deleted meanwhile.
    if (violatedConstraint(error) === 'images_artist_id_fkey') throw refuse('not_signed_in');
    throw error;
  }
}

/** The same for a call that takes one picture. */
export function storeImage<T>(
  context: Context,
  artistId: string,
  kind: ImageKind,
  file: UploadedFile,
  save: (picture: StoredImage) => Promise<T>,
): Promise<T> {
  const sent = [{ file, inputPath: ['body', 'file'] }];
  return storeImages(context, artistId, kind, sent, async ([picture]) => {
    if (!picture) throw new Error('The picture was not stored');
    return save(picture);
  });
}

async function encodeAndStore(
  context: Context,
  whose: Pick<StoredImage, 'id' | 'artist_id' | 'kind'>,
  { file, inputPath: place }: UploadedImage,
): Promise<StoredImage> {
  const { width, height, placeholder, variants } = await context.encoder
    .encode(file.path, VARIANT_WIDTHS[whose.kind])
    .catch((error: unknown) => {
      throw error instanceof DamagedPicture ? damagedImage(place) : error;
    });
  for (const { width, bytes } of variants)
    await context.images
      .put({ imageId: whose.id, width, format: 'webp' }, bytes)
      .catch((error: unknown) => {
        context.log(`A picture could not be stored: ${error}`);
        throw refuse('unavailable');
      });
  const widths = variants.map((variant) => variant.width);
  return { ...whose, width, height, widths, formats: ['webp'], placeholder };
}

function damagedImage(place: InputPath): InvalidInput {
  return new InvalidInput(place, 'This picture is damaged and cannot be read');
}
