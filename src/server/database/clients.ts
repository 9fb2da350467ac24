import { type Insertable, sql, type Updateable } from 'kysely';
import type { Instant } from '#domain/time.ts';
import type { Database } from './connect.ts';
import { loadPage, type Pagination, TOTAL_COUNT } from './pagination.ts';
import { clientName, toLikePattern } from './search.ts';
import type { Clients } from './tables.ts';

/**
 * The client of that email, made if new. Anyone may type anyone's email, so that what is known of
 * a client is only ever added to.
 */
export async function upsertClient(
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

export type ClientWithVisits = NonNullable<Awaited<ReturnType<typeof findClientWithVisits>>>;

/** How often a client came, and when they do next; judged at `now`. */
function selectClientsWithVisits(database: Database, artistId: string, now: Instant) {
  const at = new Date(now);
  return database
    .selectFrom('clients')
    .leftJoinLateral(
      ({ selectFrom }) =>
        selectFrom('appointments')
          .leftJoin('appointment_times', 'appointment_times.appointment_id', 'appointments.id')
          .whereRef('appointments.client_id', '=', 'clients.id')
          .select([
            sql<number>`count(DISTINCT appointments.id)::int`.as('appointment_count'),
            sql<Date | null>`max(appointments.created_at)`.as('last_asked'),
            sql<Date | null>`max(lower(during)) FILTER (WHERE status IN ('confirmed', 'completed')
              AND lower(during) <= ${at})`.as('last_appointment'),
            sql<Date | null>`min(lower(during)) FILTER (WHERE status = 'confirmed'
              AND lower(during) > ${at})`.as('next_appointment'),
          ])
          .as('visits'),
      (join) => join.onTrue(),
    )
    .where('clients.artist_id', '=', artistId);
}

const COLUMNS_WITH_VISITS = [
  'clients.id',
  'clients.email',
  'clients.first_name',
  'clients.last_name',
  'clients.pronouns',
  'clients.phone_number',
  'clients.preferred_contact',
  'clients.notes',
  'clients.created_at',
  'clients.email_failed_at',
  'visits.appointment_count',
  'visits.last_appointment',
  'visits.next_appointment',
] as const;

/**
 * An artist's clients, whoever asked last first.
 * @param search part of a name, an email or a phone number; blank finds all
 */
export function listClients(
  database: Database,
  artistId: string,
  search: string | undefined,
  now: Instant,
  page: Pagination,
) {
  let all = selectClientsWithVisits(database, artistId, now);
  if (search) {
    const pattern = toLikePattern(search);
    all = all.where(({ or, eb }) =>
      or([
        eb(clientName('clients'), 'ilike', pattern),
        eb('clients.email', 'ilike', pattern),
        eb('clients.phone_number', 'ilike', pattern),
      ]),
    );
  }
  return loadPage(
    all
      .select(COLUMNS_WITH_VISITS)
      .orderBy(sql`coalesce(visits.last_asked, clients.created_at)`, 'desc')
      .orderBy('clients.id'),
    all.select(TOTAL_COUNT),
    page,
  );
}

/** A client of this artist as the list shows them. */
export function findClientWithVisits(
  database: Database,
  artistId: string,
  id: string,
  now: Instant,
) {
  return selectClientsWithVisits(database, artistId, now)
    .select(COLUMNS_WITH_VISITS)
    .where('clients.id', '=', id)
    .executeTakeFirst();
}

/** Changes what the artist knows of a client; whether this artist has them. */
export async function updateClient(
  database: Database,
  artistId: string,
  id: string,
  changes: Updateable<Clients>,
): Promise<boolean> {
  const updated = await database
    .updateTable('clients')
    // With the owner set too, no change at all is still a sentence.
    .set({ ...changes, artist_id: artistId })
    .$if(changes.email !== undefined, (query) =>
      // Whether another address works is not known yet.
      query.set({
        email_failed_at: sql<Date | null>`CASE WHEN lower(email) = lower(${changes.email})
          THEN email_failed_at END`,
      }),
    )
    .where('id', '=', id)
    .where('artist_id', '=', artistId)
    .returning('id')
    .executeTakeFirst();
  return updated !== undefined;
}

/** A client has another address than `email`, unless another of the artist's clients has that. */
export async function updateClientEmail(
  database: Database,
  { artist_id, client_id, email }: { artist_id: string; client_id: string; email: string | null },
  corrected: string,
): Promise<void> {
  if (email === null) return;
  await database
    .updateTable('clients')
    .set({ email: corrected, email_failed_at: null })
    .where('id', '=', client_id)
    .where('artist_id', '=', artist_id)
    .where(sql`lower(email)`, '=', email.toLowerCase())
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('clients as other')
            .select('other.id')
            .where('other.artist_id', '=', artist_id)
            .where('other.id', '!=', client_id)
            .where(sql`lower(other.email)`, '=', corrected.toLowerCase()),
        ),
      ),
    )
    .execute();
}

/** Remembers whether mail to an artist's client of that address arrives. */
export async function updateEmailFailed(
  database: Database,
  artistId: string | null,
  email: string,
  failed: boolean,
): Promise<void> {
  await database
    .updateTable('clients')
    .set({ email_failed_at: failed ? sql<Date>`coalesce(email_failed_at, now())` : null })
    .where('artist_id', '=', artistId)
    .where(sql`lower(email)`, '=', email.toLowerCase())
    .where('email_failed_at', failed ? 'is' : 'is not', null)
    .execute();
}
