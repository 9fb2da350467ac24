import type { Database } from '#server/database/connect.ts';
import { signAccessToken } from '#server/operations/accounts/access_token.ts';
import { insertSession } from '#server/operations/accounts/sessions.ts';
import type { TokenKeys } from '#server/operations/token_keys.ts';
import { inTransaction } from './in_transaction.ts';

/** Starts a session without a password; returns its access token. */
export async function createAccessToken(
  database: Database,
  keys: TokenKeys,
  artistId: string,
  version = 1,
): Promise<string> {
  const sessionId = await inTransaction(database, insertSession, { artist_id: artistId });
  return signAccessToken(keys, { artistId, version, sessionId });
}
