/** Senders (mailboxes and networks) whose requests and messages an artist does not accept. */
import { sql } from 'kysely';
import { widestNetwork } from '#domain/network.ts';
import type { Database } from './connect.ts';
import { hashKey, hashMailbox } from './hashed_keys.ts';

export type BlockedKind = 'email' | 'network';

export interface Sender {
  /** Null when it is not known. */
  readonly email: string | null;
  readonly network: string;
}

/** Whether the artist has blocked the mailbox or the network of a sender, or the /48 of IPv6 around it. */
export async function isSenderBlocked(
  database: Database,
  artistId: string,
  { email, network }: Sender,
): Promise<boolean> {
  const found = await database
    .selectFrom('blocked_senders')
    .select('id')
    .where('artist_id', '=', artistId)
    .where(({ or, and, eb }) =>
      or([
        ...(email === null
          ? []
          : [and([eb('kind', '=', 'email'), eb('value', '=', hashMailbox(email))])]),
        and([
          eb('kind', '=', 'network'),
          eb('value', 'in', [network, widestNetwork(network)].map(hashKey)),
        ]),
      ]),
    )
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

/** Lists the senders whom an artist has blocked, the latest first. */
export function listBlockedSenders(database: Database, artistId: string) {
  return database
    .selectFrom('blocked_senders')
    .select(['id', 'hint', 'created_at'])
    .select(sql<BlockedKind>`kind`.as('kind'))
    .where('artist_id', '=', artistId)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute();
}

/**
 * Inserts a sender, or finds the same one.
 * @param hash of the mailbox or network: the list keeps nobody's email
 * @param hint by which the artist recognizes the sender
 */
export function insertBlockedSender(
  database: Database,
  artistId: string,
  sender: { readonly kind: BlockedKind; readonly hash: string; readonly hint: string },
) {
  const { kind, hash, hint } = sender;
  return database
    .insertInto('blocked_senders')
    .values({ artist_id: artistId, kind, value: hash, hint })
    .onConflict((conflict) =>
      conflict.columns(['artist_id', 'kind', 'value']).doUpdateSet({ hint }),
    )
    .returning(['id', 'hint', 'created_at'])
    .executeTakeFirstOrThrow();
}

/** @returns false when the artist has blocked no sender with this id */
export async function deleteBlockedSender(database: Database, artistId: string, id: string) {
  const { numDeletedRows } = await database
    .deleteFrom('blocked_senders')
    .where('id', '=', id)
    .where('artist_id', '=', artistId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
