/** Limits the disk space of uploads in progress. */
import { refuse } from '#domain/refusal.ts';
import type { UploadSpace } from './operations/context.ts';

const GIGABYTE = 1024 ** 3;
/** Of all uploads that this process is receiving or encoding. */
const MAX_BYTES = GIGABYTE;
/** Of the uploads of one artist: more than the largest upload, of 20 pictures. */
const MAX_BYTES_PER_OWNER = 0.4 * GIGABYTE;
/** Of all artists together whose email is not proven: their accounts cost nothing. */
const MAX_BYTES_OF_UNPROVEN = 0.5 * GIGABYTE;

/** @param limits replaced in tests */
export function createUploadSpace(
  limits = {
    bytes: MAX_BYTES,
    bytesPerOwner: MAX_BYTES_PER_OWNER,
    bytesOfUnproven: MAX_BYTES_OF_UNPROVEN,
  },
): UploadSpace {
  let total = 0;
  let totalOfUnproven = 0;
  const byOwner = new Map<string, number>();
  return {
    open({ id, isEmailProven }) {
      let reserved = 0;
      const add = (bytes: number) => {
        const owned = (byOwner.get(id) ?? 0) + bytes;
        const ofUnproven = isEmailProven ? 0 : totalOfUnproven + bytes;
        const isFull =
          total + bytes > limits.bytes ||
          owned > limits.bytesPerOwner ||
          ofUnproven > limits.bytesOfUnproven;
        if (bytes > 0 && isFull) throw refuse('uploads_full');
        total += bytes;
        if (!isEmailProven) totalOfUnproven = ofUnproven;
        reserved += bytes;
        if (owned > 0) byOwner.set(id, owned);
        else byOwner.delete(id);
      };
      return { add, release: () => add(-reserved) };
    },
  };
}
