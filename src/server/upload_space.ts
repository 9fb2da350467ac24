/** Limits the disk space of uploads in progress. */
import { refuse } from '#domain/refusal.ts';
import type { UploadSpace } from './operations/context.ts';

const GIGABYTE = 1024 ** 3;
/** Of all uploads that this process is receiving or encoding. */
const MAX_BYTES = GIGABYTE;
/** Of the uploads of one artist: more than the largest upload, of 20 pictures. */
const MAX_BYTES_PER_OWNER = 0.4 * GIGABYTE;

/** @param limits replaced in tests */
export function createUploadSpace(
  limits = { bytes: MAX_BYTES, bytesPerOwner: MAX_BYTES_PER_OWNER },
): UploadSpace {
  let total = 0;
  const byOwner = new Map<string, number>();
  return {
    open(ownerId) {
      let reserved = 0;
      const add = (bytes: number) => {
        const owned = (byOwner.get(ownerId) ?? 0) + bytes;
        if (bytes > 0 && (total + bytes > limits.bytes || owned > limits.bytesPerOwner))
          throw refuse('uploads_full');
        total += bytes;
        reserved += bytes;
        if (owned > 0) byOwner.set(ownerId, owned);
        else byOwner.delete(ownerId);
      };
      return { add, release: () => add(-reserved) };
    },
  };
}
