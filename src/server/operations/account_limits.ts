/** Limits how much one account may store. */
import { sql } from 'kysely';
import { refuse } from '#domain/refusal.ts';
import {
  MAX_CLIENTS,
  MAX_DESIGNS,
  MAX_PORTFOLIO_PICTURES,
  MAX_SERVICES,
} from '#domain/requests/list_limits.ts';
import type { Database, Transaction } from '#server/database/connect.ts';
import { hasRow } from '#server/database/has_row.ts';
import { countItems, type OrderedList } from '#server/database/ordered_lists.ts';

const LIMITS = {
  services: { limit: MAX_SERVICES, reason: 'too_many_services' },
  designs: { limit: MAX_DESIGNS, reason: 'too_many_designs' },
  portfolio: { limit: MAX_PORTFOLIO_PICTURES, reason: 'too_many_portfolio_pictures' },
} as const satisfies Record<OrderedList, unknown>;

/**
 * Refuses more items in a list of an artist than one account may have. Call this in the change that adds the items,
 * under the artist's lock: a call before the change only refuses earlier.
 * @throws Refusal `too_many_services`, `too_many_designs`, `too_many_portfolio_pictures`
 */
export async function requireRoom(
  database: Database,
  list: OrderedList,
  artistId: string,
  addedCount = 1,
): Promise<void> {
  const { limit, reason } = LIMITS[list];
  if ((await countItems(database, list, artistId)) + addedCount > limit) throw refuse(reason);
}

/**
 * Refuses more clients than one account may have. Call this under the lock of the calendar, before a client with
 * this email is added or found.
 * @throws Refusal `too_many_clients` when the client is new and the artist has too many
 */
export async function requireRoomForClient(
  transaction: Transaction,
  artistId: string,
  email: string | null,
): Promise<void> {
  const clients = transaction.selectFrom('clients').select('id').where('artist_id', '=', artistId);
  if (!(await hasRow(clients.offset(MAX_CLIENTS - 1).limit(sql.lit(1))))) return;
  // A merged client still has its email, so its email is known too.
  const known = clients.where(sql`lower(email)`, '=', email?.toLowerCase() ?? null);
  if (!(await hasRow(known))) throw refuse('too_many_clients');
}
