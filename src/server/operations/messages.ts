import type { ListPage, PageQuery } from '#contract/common.ts';
import type { ContactMessage, ReceivedMessage } from '#contract/contact.ts';
import { widestNetwork } from '#domain/network.ts';
import { RateLimited, refuse } from '#domain/refusal.ts';
import { HOUR_SECONDS, toRfc3339 } from '#domain/time.ts';
import { lockArtist } from '#server/database/artists.ts';
import type { Database } from '#server/database/connect.ts';
import * as messages from '#server/database/messages.ts';
import type { Limit } from '#server/database/rate_limits.ts';
import { requireUnblocked } from './abuse.ts';
import { loadPublicArtist } from './concerned_artist.ts';
import type { Context } from './context.ts';
import { notify, toAccountSnapshot } from './notify.ts';
import { consumeProofOfWork, createProofOfWorkTask } from './proof_of_work.ts';

/** From this many unread messages, the next one needs a proof of work. */
const FREE_UNREAD = 500;
/** A full inbox refuses messages until the artist reads or deletes some. */
const MAX_UNREAD = 2000;
/** A tenth of the inbox, so that one network cannot fill it for all others. */
const MAX_UNREAD_OF_NETWORK = 50;
/** Of all networks of one /48 of IPv6. */
const MAX_UNREAD_OF_WIDER = 100;
/** Half of the mails, so that one network cannot use them up for all others. */
const MESSAGES_OF_NETWORK: Limit = { name: 'contact_network', points: 30, seconds: HOUR_SECONDS };
const MAILS: Limit = { name: 'contact_mails', points: 60, seconds: HOUR_SECONDS };

/**
 * Stores a visitor's message to the artist, and queues a mail to the artist with the message. Beyond
 * the limit of mails, messages are only stored: the studio shows all of them.
 * @param proofOfWork the header with a solved proof of work
 * @throws Refusal `not_found`, `sender_blocked`, `inbox_full`, `inbox_full_for_network`
 * @throws ProofOfWorkRequired when the artist has many unread messages
 * @throws RateLimited when the caller's network has sent this artist too many messages
 */
export async function addContactMessage(
  context: Context,
  username: string,
  network: string,
  { name, email, message }: ContactMessage,
  proofOfWork?: string,
): Promise<ReceivedMessage> {
  const artist = await loadPublicArtist(context, username);
  await requireUnblocked(context.database, artist.id, { email, network });
  const { countEvent } = context;
  const sender = `${artist.id} ${widestNetwork(network)}`;
  const ofNetwork = await countEvent(MESSAGES_OF_NETWORK, sender);
  if (!ofNetwork.isAllowed) throw new RateLimited(ofNetwork.retryAfterSeconds);
  // Also checked here, so that refused messages use up no mails.
  const hasWorked = await consumeProofOfWork(context, artist.id, proofOfWork);
  const requireRoom = async (database: Database) => {
    const total = await checkInbox(database, artist.id, network);
    if (total >= FREE_UNREAD && !hasWorked) throw await createProofOfWorkTask(context, artist.id);
  };
  await requireRoom(context.database);
  // Counted outside the transaction, which would hold a second connection meanwhile.
  const { isAllowed: isMailed } = await countEvent(MAILS, artist.id);
  return context.database.transaction().execute(async (transaction) => {
    await lockArtist(transaction, artist.id);
    await requireRoom(transaction);
    const newRow = { artist_id: artist.id, name, email, message, network };
    const row = await messages.insertMessage(transaction, newRow);
    const mailedMessage = { id: row.id, name, email, text: message };
    if (isMailed) {
      const notice = { artist: toAccountSnapshot(artist), message: mailedMessage };
      const notices = [{ kind: 'contact_message', ...notice }] as const;
      await notify(context, transaction, artist.id, notices, network);
    }
    return toMessage(row);
  });
}

/** @returns how many messages are unread */
async function checkInbox(database: Database, artistId: string, network: string): Promise<number> {
  const unread = await messages.countUnreadMessages(database, artistId, network);
  if (unread.ofNetwork >= MAX_UNREAD_OF_NETWORK || unread.ofWider >= MAX_UNREAD_OF_WIDER)
    throw refuse('inbox_full_for_network');
  if (unread.total >= MAX_UNREAD) throw refuse('inbox_full');
  return unread.total;
}

/** The messages to an artist, newest first. */
export async function listMessages(
  { database }: Context,
  artistId: string,
  page: PageQuery,
): Promise<ListPage<ReceivedMessage>> {
  const { rows, count } = await messages.listMessages(database, artistId, page);
  return { data: rows.map(toMessage), count };
}

/** Marks messages as read. Ids that are not of the artist's messages are ignored. */
export function markMessagesRead(
  { database }: Context,
  artistId: string,
  ids: readonly string[],
): Promise<void> {
  return messages.markMessagesRead(database, artistId, ids);
}

/** @throws Refusal `not_found` */
export async function deleteMessage(
  { database }: Context,
  artistId: string,
  id: string,
): Promise<void> {
  if (!(await messages.deleteMessage(database, artistId, id))) throw refuse('not_found');
}

export function toMessage(row: messages.MessageRow): ReceivedMessage {
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
