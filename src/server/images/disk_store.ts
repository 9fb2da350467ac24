import { createReadStream } from 'node:fs';
import { access, mkdir, readdir, readFile, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type ExportStore, exportName } from './export_store.ts';
import { type ImageInventory, type ImageStore, imagePath, isMissingFile } from './image_store.ts';
import { STORE_ID_FILE } from './store_identity.ts';

/**
 * Stores images in a folder, which our server serves at `/media/`.
 * @param origin of the URLs, such as `https://book.example.com`; '' for relative URLs
 */
export function createDiskStore(folder: string, origin: string): ImageStore {
  return {
    async put(file, bytes) {
      const path = join(folder, imagePath(file));
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      // Renamed when complete, so that no response contains half a picture.
      const unfinishedPath = `${path}.${process.pid}.part`;
      await writeFile(unfinishedPath, bytes, { mode: 0o600 });
      await rename(unfinishedPath, path);
    },
    read: (file) => readFile(join(folder, imagePath(file))),
    // `rm` fails, and tries again, when a file of this image is added at the same time.
    remove: (imageId) =>
      rm(join(folder, imageId), { recursive: true, force: true, maxRetries: 3, retryDelay: 50 }),
    urlOf: (file) => `${origin}/media/${imagePath(file)}`,
  };
}

/** Describes the content of a folder of images. */
export function createDiskInventory(folder: string): ImageInventory {
  /** @param missing the result if the file or folder of `work` does not exist */
  const ifThere = <T>(work: Promise<T>, missing: T) =>
    work.catch((error: unknown) => {
      if (isMissingFile(error)) return missing;
      throw error;
    });
  return {
    isEmpty: async () =>
      (await ifThere(readdir(folder), [])).every((name) => name === STORE_ID_FILE),
    has: (file) =>
      ifThere(
        access(join(folder, imagePath(file))).then(() => true),
        false,
      ),
  };
}

/** Removes a folder that `createDiskStore` has filled. @throws when it has pictures */
export async function removeEmptyStore(folder: string): Promise<void> {
  const { isEmpty } = createDiskInventory(folder);
  if (await isEmpty()) await rm(join(folder, STORE_ID_FILE), { force: true });
  await rmdir(folder);
}

/** Stores exports in a folder that is not served: only the API reads them. */
export function createDiskExportStore(folder: string): ExportStore {
  return {
    async put(id, path) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await rename(path, join(folder, exportName(id)));
    },
    async *read(id) {
      yield* createReadStream(join(folder, exportName(id)));
    },
    remove: (id) => rm(join(folder, exportName(id)), { force: true }),
  };
}
