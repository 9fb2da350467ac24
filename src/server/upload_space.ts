/** Limits the disk space of uploads in progress. */

import { refuse } from '#domain/refusal.ts';
import { firstExceeded, UPLOAD_LIMITS } from '#domain/requests/limits.ts';
import type { Uploader, UploadSpace } from './operations/context.ts';

type UploadLimit = (typeof UPLOAD_LIMITS)[number]['counted'];

/** Counts the bytes of the uploads in progress, and refuses those beyond a limit. @param limits replaced in tests */
export function createUploadSpace(
  limits: readonly { counted: UploadLimit; most: number }[] = UPLOAD_LIMITS,
): UploadSpace {
  const uploads = new Set<Uploader & { bytes: number }>();
  return {
    open({ id, isEmailProven }) {
      const upload = { id, isEmailProven, bytes: 0 };
      uploads.add(upload);
      const add = (bytes: number) => {
        // With the new bytes. `ofUnproven` counts the uploads of artists whose email is not proven.
        const counts = { ofAll: bytes, ofOwner: bytes, ofUnproven: isEmailProven ? 0 : bytes };
        for (const other of uploads) {
          counts.ofAll += other.bytes;
          if (other.id === id) counts.ofOwner += other.bytes;
          if (!isEmailProven && !other.isEmailProven) counts.ofUnproven += other.bytes;
        }
        if (firstExceeded(limits, counts)) throw refuse('uploads_full');
        upload.bytes += bytes;
      };
      return { add, release: () => uploads.delete(upload) };
    },
  };
}
