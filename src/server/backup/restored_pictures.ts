/** Where a restore puts the pictures, so that a failed one leaves the place as it was. */
import { rename, rm } from 'node:fs/promises';
import {
  createDiskInventory,
  createDiskStore,
  removeEmptyStore,
} from '#server/images/disk_store.ts';
import type { ImageFile, ImageInventory, ImageStore } from '#server/images/image_store.ts';

/** The place of the pictures during a restore. */
export interface RestoredPictures {
  /** False if there are pictures already, which the restore must not overwrite. */
  readonly isEmpty: () => Promise<boolean>;
  /** Stores a file, unless it is there: a stored file never changes. */
  readonly put: (file: ImageFile, bytes: Uint8Array) => Promise<void>;
  /** Brings the pictures to their place. */
  readonly finish: () => Promise<void>;
  /** Deletes the pictures that `put` has stored, also after `finish`. */
  readonly undo: () => Promise<void>;
}

/** Fills a new folder beside `folder`. `finish` renames it to `folder`, so a killed restore can be repeated. */
export function restoreToNewFolder(folder: string): RestoredPictures {
  const unfinished = `${folder}.restoring`;
  const store = createDiskStore(unfinished, '');
  let place = unfinished;
  const remove = () => rm(place, { recursive: true, force: true });
  let isBegun = false;
  return {
    isEmpty: createDiskInventory(folder).isEmpty,
    async put(file, bytes) {
      if (!isBegun) await remove();
      isBegun = true;
      await store.put(file, bytes);
    },
    async finish() {
      if (!isBegun) return;
      // Fails if it is not empty, and then nothing is lost.
      await removeEmptyStore(folder).catch(() => {});
      await rename(unfinished, folder);
      place = folder;
    },
    undo: remove,
  };
}

/**
 * Adds pictures to a store. `undo` deletes the added pictures, unless the store may have had pictures before.
 * @param mayHavePictures if true, pictures that are there are kept, and `isEmpty` is true
 */
export function restoreToStore(
  store: Pick<ImageStore, 'put' | 'remove'>,
  inventory: ImageInventory,
  mayHavePictures: boolean,
): RestoredPictures {
  const added = new Set<string>();
  return {
    isEmpty: mayHavePictures ? async () => true : inventory.isEmpty,
    async put(file, bytes) {
      if (mayHavePictures && (await inventory.has(file))) return;
      if (!mayHavePictures) added.add(file.imageId);
      await store.put(file, bytes);
    },
    finish: async () => {},
    async undo() {
      for (const id of added) await store.remove(id);
    },
  };
}
