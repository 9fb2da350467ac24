import { setTimeout as sleep } from 'node:timers/promises';
import PQueue from 'p-queue';
import { tag } from '#cache/policy.ts';
import { tryWithImageLock } from '#server/database/advisory_lock.ts';
import type { Database } from '#server/database/connect.ts';
import {
  findImageWithoutAvif,
  listImagesWithoutAvif,
  updateImageFormats,
} from '#server/database/images.ts';
import { listRemovedImages } from '#server/database/removed_images.ts';
import type { AvifConverter, Context } from './context.ts';
import { invalidating } from './invalidating.ts';
import { deleteImageFiles } from './store_images.ts';

type ConverterContext = Pick<Context, 'database' | 'images' | 'encoder' | 'invalidate' | 'log'>;

/** How long `stop` waits for the current work. */
const STOP_TIMEOUT_MS = 3000;
const PAGE_SIZE = 100;
/** One start of our server deletes the leftover files of at most this many deleted images. */
const MAX_CLEANED_UP_AT_START = 1000;
const RETRY_DELAYS_MS = [5000, 30_000, 300_000];
const LOWEST_UUID = '00000000-0000-0000-0000-000000000000';
/** Later than every upload, to list all images. */
const FAR_FUTURE = new Date('9999-01-01');

/**
 * Creates the queue that adds AVIF files to uploaded images, one at a time. The queue is in memory:
 * when a server stops or dies, other running servers (by `enqueueAbandoned`) and the next start of
 * any server (by `enqueueUnfinished`) enqueue the images that it leaves unconverted.
 * @param retryDelaysMs the delay before each further attempt of this process at an image
 */
export function createAvifConverter(
  context: ConverterContext,
  retryDelaysMs: readonly number[] = RETRY_DELAYS_MS,
): AvifConverter {
  /** One image at a time. Paused for ever by `stop`. */
  const queue = new PQueue({ concurrency: 1 });
  /** `stop` rejects this promise, to interrupt the current conversion. */
  const interruption = Promise.withResolvers<never>();
  // Without a handler, a rejection while no image is converted would end the process.
  interruption.promise.catch(() => {});
  /** Delays of failed images; each ends by enqueueing its image again. */
  const pendingRetries = new Set<Promise<void>>();
  /** Images that are enqueued, await a retry, or failed in every attempt of this process. */
  const knownIds = new Set<string>();
  const enqueueWork = (task: string, work: () => Promise<void>) => {
    if (queue.isPaused) return;
    void queue.add(() =>
      work().catch((error: unknown) => {
        // After `stop`, work fails only because it is interrupted: that needs no log line.
        if (!queue.isPaused)
          context.log(`AVIF converter: ${task} failed (the next start retries): ${error}`);
      }),
    );
  };
  const enqueueImage = (imageId: string, delays = retryDelaysMs) => {
    knownIds.add(imageId);
    enqueueWork(`converting ${imageId}`, async () => {
      try {
        // Does nothing while another server converts the image. An interruption ends the race, and
        // so frees the database connection that the lock occupies.
        await tryWithImageLock(context.database, imageId, () =>
          Promise.race([convertToAvif(context, imageId), interruption.promise]),
        );
        knownIds.delete(imageId);
      } catch (error) {
        const [delay, ...laterDelays] = delays;
        if (delay === undefined || queue.isPaused) throw error;
        // Not awaited here: other images are converted during the delay.
        const retry = sleepInBackground(delay).then(() => {
          pendingRetries.delete(retry);
          enqueueImage(imageId, laterDelays);
        });
        pendingRetries.add(retry);
      }
    });
  };
  return {
    enqueue: (imageId) => enqueueImage(imageId),
    enqueueUnfinished: () =>
      enqueueWork('listing unfinished work', async () => {
        for await (const imageId of unconvertedImages(context.database, FAR_FUTURE))
          enqueueImage(imageId);
        for (const imageId of await listRemovedImages(context.database, MAX_CLEANED_UP_AT_START))
          enqueueWork(`deleting files of ${imageId}`, () => deleteImageFiles(context, [imageId]));
      }),
    enqueueAbandoned: (uploadedBefore) =>
      enqueueWork('listing abandoned images', async () => {
        // An old image that this process does not know is probably from a server that has died.
        for await (const imageId of unconvertedImages(context.database, new Date(uploadedBefore)))
          if (!knownIds.has(imageId)) enqueueImage(imageId);
      }),
    async whenIdle() {
      // A retry enqueues its image again.
      do {
        await queue.onIdle();
        await Promise.all(pendingRetries);
      } while (queue.size + queue.pending + pendingRetries.size > 0);
    },
    async stop() {
      queue.pause();
      queue.clear();
      await Promise.race([queue.onIdle(), sleepInBackground(STOP_TIMEOUT_MS)]);
      interruption.reject(new Error('The server stops'));
    },
  };
}

/** This timer does not keep the process running. */
function sleepInBackground(ms: number): Promise<void> {
  return sleep(ms, undefined, { ref: false });
}

async function* unconvertedImages(
  database: Database,
  uploadedBefore: Date,
): AsyncGenerator<string> {
  for (let after = LOWEST_UUID; ; ) {
    const page = await listImagesWithoutAvif(database, after, PAGE_SIZE, uploadedBefore);
    yield* page;
    const lastId = page.at(-1);
    if (lastId === undefined || page.length < PAGE_SIZE) return;
    after = lastId;
  }
}

/** Does nothing for an image that has AVIF files already or was deleted. */
async function convertToAvif(context: ConverterContext, id: string): Promise<void> {
  const { database } = context;
  const image = await findImageWithoutAvif(database, id);
  if (!image) return;
  try {
    await storeAvifVariants(context, image);
    const { artist_id } = image;
    const tags = [tag.artist(artist_id), tag.designs(artist_id), tag.portfolio(artist_id)];
    const isUpdated = await invalidating(context, tags, () =>
      updateImageFormats(database, id, ['avif', 'webp']),
    );
    if (isUpdated) return;
  } catch (error) {
    // A failure because the image was deleted needs no further attempt.
    if (await findImageWithoutAvif(database, id)) throw error;
  }
  // The image was deleted during the conversion, so its deletion did not see all AVIF files.
  await deleteImageFiles(context, [id]);
}

async function storeAvifVariants(
  { images, encoder }: ConverterContext,
  { id, widths }: { id: string; widths: readonly number[] },
): Promise<void> {
  const largest = await images.read({ imageId: id, width: Math.max(...widths), format: 'webp' });
  for (const { width, bytes } of await encoder.encodeAvif(largest, widths))
    await images.put({ imageId: id, width, format: 'avif' }, bytes);
}
