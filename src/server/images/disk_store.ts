import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type ImageStore, imagePath } from './image_store.ts';

/**
 * Keeps images as files under a folder, which the server hands out under `/media/`.
 * @param origin of absolute addresses, such as `https://book.example.com`; '' for relative ones
 */
export function createDiskStore(folder: string, origin: string): ImageStore {
  return {
    async put(file, bytes) {
      const path = join(folder, imagePath(file));
      await mkdir(dirname(path), { recursive: true });
      // Renamed into place, so that nobody is ever sent half a picture.
      const unfinished = `${path}.${process.pid}.part`;
      await writeFile(unfinished, bytes);
      await rename(unfinished, path);
    },
    read: (file) => readFile(join(folder, imagePath(file))),
    // Again, when a variant is being written at the same moment.
    remove: (imageId) =>
      rm(join(folder, imageId), { recursive: true, force: true, maxRetries: 3, retryDelay: 50 }),
    urlOf: (file) => `${origin}/media/${imagePath(file)}`,
  };
}
