/** Senders (mailboxes and networks) whose requests and messages an artist does not accept. */
import { sql } from 'kysely';
import { widestNetwork } from '#domain/requests/network.ts';
import { hashKey, hashMailbox } from './hashed_keys.ts';

export interface Sender {
  /** Null when it is not known. */
  readonly email: string | null;
  readonly networks: readonly string[];
}

/** The SQL condition that the artist has blocked a sender's mailbox, or a network, or the /48 of IPv6 around one. */
export function isBlocked(artistId: string, { email, networks }: Sender) {
  const hashes = networks.flatMap((network) => [network, widestNetwork(network)]).map(hashKey);
  return sql<boolean>`EXISTS (
    SELECT FROM blocked_senders WHERE artist_id = ${artistId} AND (
      (kind = 'email' AND value = ${email && hashMailbox(email)})
      OR (kind = 'network' AND value = any(${hashes})))
  )`;
}
