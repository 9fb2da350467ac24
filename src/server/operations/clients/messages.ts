/** Messages from the contact form of artists' pages. */
import { type Insertable, sql } from 'kysely';
import type { ListPage, PageQuery } from '#contract/common.ts';
import type { ContactMessage, ReceivedMessage } from '#contract/contact.ts';
import { refuse, requireFound } from '#domain/refusal.ts';
import { firstExceeded, INBOX_LIMITS } from '#domain/requests/limits.ts';
import { widerNetwork, widestNetwork } from '#domain/requests/network.ts';
import { type Instant, toRfc3339 } from '#domain/time/time.ts';
import { isOfNetwork } from '#server/database/booking_limits.ts';
import type { Database } from '#server/database/connect.ts';
import { hashMailbox } from '#server/database/hashed_keys.ts';
import { loadPage } from '#server/database/pagination.ts';
import type { Messages } from '#server/database/tables.ts';
import { requireUnblocked } from '../booking/abuse.ts';
import { consumeProofOfWork, createProofOfWorkTask } from '../booking/proof_of_work.ts';
import { change } from '../change.ts';
import type { Context } from '../context.ts';
import { isWithinLimits, limitEvent } from '../limits.ts';
import { notify, toAccountSnapshot } from '../mail/notify.ts';
import { loadPublicArtist } from '../public_artist.ts';

const COLUMNS = ['id', 'name', 'email', 'message', 'created_at', 'read_at'] as const;

/** Selects the messages to an artist, newest first. */
export function selectMessages(database: Database, artistId: string) {
  return database
    .selectFrom('messages')
    .select(COLUMNS)
    .where('artist_id', '=', artistId)
    .orderBy('created_at', 'desc')
    .orderBy('id');
}

type MessageRow = Awaited<ReturnType<typeof insertMessage>>;

/** Inserts a message from the contact form of an artist's page. */
export function insertMessage(database: Database, message: Omit<Insertable<Messages>, 'mailbox'>) {
  return database
    .insertInto('messages')
    .values({ ...message, mailbox: hashMailbox(message.email) })
    .returning(COLUMNS)
    .executeTakeFirstOrThrow();
}

/**
 * Stores a visitor's message to the artist, and queues a mail to the artist with the message. Beyond
 * the limit of mails, messages are only stored: the studio shows all of them.
 * @param call when and from where the message comes; `proofOfWork`: the header with a solved proof of work
 * @throws ProofOfWorkRequired when the artist has many unread messages
 * @throws RateLimited when the caller's network has sent this artist too many messages
 */
export async function addContactMessage(
  context: Context,
  username: string,
  { name, email, message }: ContactMessage,
  call: { network: string; proofOfWork?: string | undefined; now: Instant },
): Promise<ReceivedMessage> {
  const { network, proofOfWork, now } = call;
  const artist = await loadPublicArtist(context, username);
  await requireUnblocked(context.database, artist.id, { email, networks: [network] });
  const causer = { artist: artist.id, widestNetwork: widestNetwork(network) };
  await limitEvent(context, ['contact_network'], causer);
  const hasProof = await consumeProofOfWork(context, artist.id, proofOfWork);
  const requireInboxRoom = async (database: Database) => {
    const unread = await countUnreadMessages(database, artist.id, network);
    const limit = firstExceeded(INBOX_LIMITS, unread);
    if (limit === undefined) return;
    if (limit.beyond !== 'proof_of_work') throw refuse(limit.beyond);
    if (!hasProof) throw await createProofOfWorkTask(context, artist.id, now);
  };
  // Checked here too, before the mail is counted: refused messages use up no mails.
  await requireInboxRoom(context.database);
  // Counted outside the transaction, which would hold a second connection meanwhile.
  const isMailed = await isWithinLimits(context, ['contact_mails'], { artist: artist.id });
  const scope = { lock: 'artist', artistId: artist.id, invalidates: [] } as const;
  return change(context, scope, async (context) => {
    await requireInboxRoom(context.database);
    const sent = { artist_id: artist.id, name, email, message, network };
    const row = await insertMessage(context.database, sent);
    if (isMailed) {
      const notice = {
        kind: 'contact_message',
        artist: toAccountSnapshot(artist),
        message: { id: row.id, name, email, text: message },
      } as const;
      await notify(context, { notices: [notice], source: network });
    }
    return toMessage(row);
  });
}

/**
 * Counts the messages that the artist has not seen in the studio, with one more from this network: all,
 * those of the network, and those of the /48 of IPv6 around it.
 */
function countUnreadMessages(database: Database, artistId: string, network: string) {
  const wider = widerNetwork(network);
  const isOfWider = wider === null ? sql<boolean>`false` : isOfNetwork(sql.ref('network'), wider);
  return database
    .selectFrom('messages')
    .select([
      sql<number>`1 + count(*)::int`.as('ofAll'),
      sql<number>`1 + (count(*) FILTER (WHERE network = ${network}))::int`.as('ofNetwork'),
      sql<number>`1 + (count(*) FILTER (WHERE ${isOfWider}))::int`.as('ofWider'),
    ])
    .where('artist_id', '=', artistId)
    .where('read_at', 'is', null)
    .executeTakeFirstOrThrow();
}

/** Lists the messages to an artist, newest first. */
export async function listMessages(
  { database }: Context,
  artistId: string,
  page: PageQuery,
): Promise<ListPage<ReceivedMessage>> {
  const { rows, count } = await loadPage(selectMessages(database, artistId), page);
  return { data: rows.map(toMessage), count };
}

/** Marks messages as read. Ids that are not of the artist's messages are ignored. */
export async function markMessagesRead(
  { database }: Context,
  artistId: string,
  ids: readonly string[],
): Promise<void> {
  await database
    .updateTable('messages')
    .set({ read_at: sql<Date>`now()` })
    .where('artist_id', '=', artistId)
    .where('id', 'in', ids)
    .where('read_at', 'is', null)
    .execute();
}

export async function deleteMessage(
  { database }: Pick<Context, 'database'>,
  artistId: string,
  id: string,
): Promise<void> {
  const message = database.deleteFrom('messages').where('id', '=', id);
  requireFound(await message.where('artist_id', '=', artistId).returning('id').executeTakeFirst());
}

/** A message as the API shows it to the artist. */
export function toMessage(row: MessageRow): ReceivedMessage {
  const { id, name, email, message, created_at, read_at } = row;
  return {
    id,
    name,
    email,
    message,
    created_at: toRfc3339(created_at.getTime()),
    read_at: read_at && toRfc3339(read_at.getTime()),
  };
}
