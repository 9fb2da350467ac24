import { setTimeout as sleep } from 'node:timers/promises';
import { tag } from '#cache/policy.ts';
import { tryWithImageLock } from '#server/database/advisory_lock.ts';
import type { Database } from '#server/database/connect.ts';
import * as images from '#server/database/images.ts';
import { listRemovedImages } from '#server/database/removed_images.ts';
import type { ImageStore } from '#server/images/image_store.ts';
import type { PictureEncoder } from '#server/images/picture_encoder.ts';
import type { Context } from './context.ts';
import { invalidating } from './invalidating.ts';
import type { PictureFinisher } from './picture_finisher.ts';
import { deleteImageFiles } from './to_image.ts';

interface EncodingContext {
  readonly database: Database;
  readonly images: ImageStore;
  readonly encoder: PictureEncoder;
  readonly invalidate: Context['invalidate'];
  readonly log: (line: string) => void;
}

const STOP_TIMEOUT_MS = 3000;
const PAGE_SIZE = 100;
/** How many pictures' files one start removes that were left behind. */
const MAX_DELETED_AT_START = 1000;
const RETRY_DELAYS_MS = [5000, 30_000, 300_000];
const LOWEST_UUID = '00000000-0000-0000-0000-000000000000';
/** Later than any picture was uploaded. */
const FAR_FUTURE = new Date('9999-01-01');

/**
 * The finisher of a server; the next start sweeps up what it does not get to.
 * @param pausesMs how long a picture that failed rests before each further try, in milliseconds
 */
export function createAvifConverter(
  context: EncodingContext,
  pausesMs: readonly number[] = RETRY_DELAYS_MS,
): PictureFinisher {
  let stopped = false;
  const cutOff = Promise.withResolvers<never>();
  cutOff.promise.catch(() => {});
  let done: Promise<void> = Promise.resolve();
  const resting = new Set<Promise<void>>();
  /** Pictures that wait, rest, or were given up here; another server or the next start may try. */
  const known = new Set<string>();
  const giveUp = (error: unknown) => context.log(`A picture was not finished: ${error}`);
  const inTurn = (work: () => Promise<void>, failed = giveUp) => {
    done = done.then(async () => {
      if (stopped) return;
      await work().catch((error: unknown) => {
        // Cut off in the middle, it meets clients that are closed already.
        if (!stopped) failed(error);
      });
    });
  };
  const finishSoon = (imageId: string, pauses = pausesMs) => {
    known.add(imageId);
    inTurn(
      async () => {
        // The lock holds a connection, which must not outlive `stop`.
        await tryWithImageLock(context.database, imageId, () =>
          Promise.race([convertToAvif(context, imageId), cutOff.promise]),
        );
        known.delete(imageId);
      },
      (error) => {
        const [pause, ...further] = pauses;
        if (pause === undefined) return giveUp(error);
        // The others go on meanwhile.
        const rest = sleep(pause, undefined, { ref: false }).then(() => {
          resting.delete(rest);
          finishSoon(imageId, further);
        });
        resting.add(rest);
      },
    );
  };
  return {
    add: (imageId) => finishSoon(imageId),
    sweep: () =>
      inTurn(async () => {
        for await (const imageId of unfinishedImages(context.database, FAR_FUTURE))
          finishSoon(imageId);
        for (const imageId of await listRemovedImages(context.database, MAX_DELETED_AT_START))
          inTurn(() => deleteImageFiles(context, [imageId]));
      }),
    adopt: (uploadedBefore) =>
      inTurn(async () => {
        for await (const imageId of unfinishedImages(context.database, new Date(uploadedBefore)))
          if (!known.has(imageId)) finishSoon(imageId);
      }),
    idle: async () => {
      // More may be added while one waits.
      let last: Promise<void>;
      do {
        last = done;
        await Promise.all([last, ...resting]);
      } while (last !== done || resting.size > 0);
    },
    async stop() {
      stopped = true;
      await Promise.race([done, sleep(STOP_TIMEOUT_MS, undefined, { ref: false })]);
      cutOff.reject(new Error('The server stops'));
    },
  };
}

async function* unfinishedImages(database: Database, uploadedBefore: Date): AsyncGenerator<string> {
  for (let after = LOWEST_UUID; ; ) {
    const page = await images.listImagesWithoutAvif(database, after, PAGE_SIZE, uploadedBefore);
    yield* page;
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE_SIZE) return;
    after = last;
  }
}

async function convertToAvif(context: EncodingContext, id: string): Promise<void> {
  const { database } = context;
  const picture = await images.findImageWithoutAvif(database, id);
  if (!picture) return;
  try {
    await storeAvifVariants(context, picture);
    const { artist_id } = picture;
    const tags = [tag.artist(artist_id), tag.designs(artist_id), tag.portfolio(artist_id)];
    if (
      await invalidating(context, tags, () =>
        images.updateImageFormats(database, id, ['avif', 'webp']),
      )
    )
      return;
  } catch (error) {
    if (await images.findImageWithoutAvif(database, id)) throw error;
  }
  // Deleted meanwhile: its files went before ours came.
  await deleteImageFiles(context, [id]);
}

async function storeAvifVariants(
  { images: store, encoder }: EncodingContext,
  { id, widths }: { id: string; widths: readonly number[] },
): Promise<void> {
  const largest = await store.read({ imageId: id, width: Math.max(...widths), format: 'webp' });
  for (const { width, bytes } of await encoder.encodeAvif(largest, widths))
    await store.put({ imageId: id, width, format: 'avif' }, bytes);
}
