import { type Insertable, sql } from 'kysely';
import type { Database } from './connect.ts';
import type { Clients } from './tables.ts';

/**
 * The client of that email, made if new. Anyone may type anyone's email, so that what is known of
 * a client is only ever added to.
 */
export async function mergeClient(
  database: Database,
  client: Insertable<Clients>,
): Promise<string> {
  const { id } = await database
    .insertInto('clients')
    .values(client)
    .onConflict((conflict) =>
      conflict.expression(sql`artist_id, lower(email)`).doUpdateSet((eb) => ({
        first_name: eb.fn.coalesce('clients.first_name', 'excluded.first_name'),
        last_name: eb.fn.coalesce('clients.last_name', 'excluded.last_name'),
        pronouns: eb.fn.coalesce('clients.pronouns', 'excluded.pronouns'),
        phone_number: eb.fn.coalesce('clients.phone_number', 'excluded.phone_number'),
        preferred_contact: eb.fn.coalesce(
          'clients.preferred_contact',
          'excluded.preferred_contact',
        ),
      })),
    )
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** A client of this artist. */
export function findClient(database: Database, artistId: string, id: string) {
  return database
    .selectFrom('clients')
    .select([
      'id',
      'email',
      'first_name',
      'last_name',
      'pronouns',
      'phone_number',
      'preferred_contact',
    ])
    .where('id', '=', id)
    .where('artist_id', '=', artistId)
    .executeTakeFirst();
}
