import type { ConfirmationTerms } from '#domain/appointment.ts';
import type { Database } from '#server/database/connect.ts';
import type { ImageStore } from '#server/images/store.ts';

/** What operations act on. */
export interface Parts {
  readonly database: Database;
  readonly images: ImageStore;
  readonly terms: ConfirmationTerms;
  /** Signs access tokens. */
  readonly secret: Uint8Array;
}
