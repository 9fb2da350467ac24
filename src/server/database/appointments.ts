import { type Insertable, sql } from 'kysely';
import type { AppointmentStatus, AppointmentTime } from '#domain/appointment.ts';
import type { TimeRange } from '#domain/availability.ts';
import type { Instant } from '#domain/time.ts';
import { toTstzrange } from './calendar.ts';
import type { Database } from './connect.ts';
import { loadPage, type Pagination, TOTAL_COUNT } from './pagination.ts';
import { clientName, toLikePattern } from './search.ts';
import { ADDRESS_COLUMNS } from './studios.ts';
import type { Appointments } from './tables.ts';

/** An appointment with the time that it keeps or kept, and what it refers to. */
function selectAppointments(database: Database) {
  return database
    .selectFrom('appointments')
    .leftJoinLateral(
      ({ selectFrom }) =>
        selectFrom('appointment_times')
          .whereRef('appointment_times.appointment_id', '=', 'appointments.id')
          .select([
            sql<Date>`lower(during)`.as('start'),
            sql<Date>`upper(during)`.as('end'),
            sql<Date>`upper(blocked)`.as('blocked_until'),
            'lapses_at',
          ])
          .orderBy(sql`lower(during)`)
          .limit(1)
          .as('time'),
      (join) => join.onTrue(),
    )
    .innerJoin('artists', 'artists.id', 'appointments.artist_id')
    .innerJoin('places', 'places.id', 'appointments.place_id')
    .leftJoin('services', 'services.id', 'appointments.service_id')
    .leftJoin('designs', 'designs.id', 'appointments.design_id')
    .leftJoin('images', 'images.id', 'designs.image_id');
}

const COLUMNS = [
  'appointments.id',
  'appointments.artist_id',
  'appointments.place_id',
  'appointments.client_id',
  'appointments.status',
  'appointments.version',
  'appointments.email',
  'appointments.first_name',
  'appointments.last_name',
  'appointments.pronouns',
  'appointments.phone_number',
  'appointments.preferred_contact',
  'appointments.location',
  'appointments.size',
  'appointments.customer_notes',
  'appointments.artist_note',
  'appointments.idempotency_subject',
  'appointments.created_at',
  'artists.username',
  'artists.full_name',
  'artists.email as artist_email',
  'places.name as studio_name',
  ...ADDRESS_COLUMNS,
  'time.start',
  'time.end',
  'time.blocked_until',
  'time.lapses_at',
  'services.id as service_id',
  'services.name as service_name',
  'services.description as service_description',
  'services.duration_minutes',
  'services.is_available',
  'designs.id as design_id',
  'designs.name as design_name',
  'designs.description as design_description',
  'designs.status as design_status',
  'images.id as image_id',
  'images.title',
  'images.width',
  'images.height',
  'images.widths',
  'images.formats',
  'images.placeholder',
] as const;

export type AppointmentRow = NonNullable<Awaited<ReturnType<typeof findAppointment>>>;

/** The artist's appointment; another's is not found. */
export function findAppointment(database: Database, artistId: string, id: string) {
  return selectAppointments(database)
    .select(COLUMNS)
    .where('appointments.id', '=', id)
    .where('appointments.artist_id', '=', artistId)
    .executeTakeFirst();
}

/** Appointments by their ids, whoever has them. */
export function listAppointmentsByIds(
  database: Database,
  ids: readonly string[],
): Promise<AppointmentRow[]> {
  return selectAppointments(database)
    .select(COLUMNS)
    .where('appointments.id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute();
}

/** All of an artist's that begin after `now`, or have no time yet, and have not come to an end. */
export function listOpenAppointments(
  database: Database,
  artistId: string,
  now: Instant,
): Promise<AppointmentRow[]> {
  return selectAppointments(database)
    .select(COLUMNS)
    .where('appointments.artist_id', '=', artistId)
    .where('appointments.status', 'in', ['requested', 'held', 'offered', 'confirmed'])
    .where(({ or, eb }) => or([eb('time.start', 'is', null), eb('time.start', '>', new Date(now))]))
    .execute();
}

/** Whose appointment this is; clients know only its id. */
export async function findAppointmentArtistId(
  database: Database,
  id: string,
): Promise<string | undefined> {
  const row = await database
    .selectFrom('appointments')
    .select('artist_id')
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.artist_id;
}

/** The appointment that an earlier call with the same key made. */
export function findAppointmentByIdempotencyKey(database: Database, artistId: string, key: string) {
  return selectAppointments(database)
    .select(COLUMNS)
    .where('appointments.artist_id', '=', artistId)
    .where('appointments.idempotency_key', '=', key)
    .executeTakeFirst();
}

/** Which appointments of an artist, judged at a moment. */
export interface AppointmentFilter {
  readonly status?: AppointmentStatus | undefined;
  /** Part of the client's name or email, as it stands with the appointment. */
  readonly search?: string | undefined;
  readonly when?: 'upcoming' | 'past' | undefined;
  readonly order: 'newest' | 'soonest' | 'latest';
  readonly clientId?: string;
}

/** An artist's appointments; `status` is judged at `now`, lapsed ones being expired. */
export function listAppointments(
  database: Database,
  artistId: string,
  { status, search, when, order, clientId }: AppointmentFilter,
  now: Instant,
  page: Pagination,
) {
  const at = new Date(now);
  const lapsed = sql<boolean>`(appointments.status IN ('held', 'offered')
    AND coalesce(time.lapses_at <= ${at}, false))`;
  let all = selectAppointments(database).where('appointments.artist_id', '=', artistId);
  if (clientId !== undefined) all = all.where('appointments.client_id', '=', clientId);
  if (status === 'expired')
    all = all.where(({ or, eb }) => or([eb('appointments.status', '=', 'expired'), lapsed]));
  else if (status !== undefined)
    all = all.where('appointments.status', '=', status).where(({ not }) => not(lapsed));
  if (when === 'upcoming') all = all.where('time.end', '>', at);
  if (when === 'past') all = all.where('time.end', '<=', at);
  if (search) {
    const pattern = toLikePattern(search);
    all = all.where(({ or, eb }) =>
      or([
        eb(clientName('appointments'), 'ilike', pattern),
        eb('appointments.email', 'ilike', pattern),
      ]),
    );
  }
  const rows = all.select(COLUMNS);
  const ordered =
    order === 'newest'
      ? rows.orderBy('appointments.created_at', 'desc')
      : rows.orderBy('time.start', (by) =>
          (order === 'soonest' ? by.asc() : by.desc()).nullsLast(),
        );
  return loadPage(ordered.orderBy('appointments.id'), all.select(TOTAL_COUNT), page);
}

/** An artist's appointments that touch a span, in order of their start. */
export async function listOverlappingAppointments(
  database: Database,
  artistId: string,
  span: TimeRange,
): Promise<AppointmentRow[]> {
  const touching = database
    .selectFrom('appointment_times')
    .select('appointment_id')
    .where('artist_id', '=', artistId)
    .where('during', '&&', toTstzrange(span));
  return selectAppointments(database)
    .select(COLUMNS)
    .where('appointments.artist_id', '=', artistId)
    .where('appointments.id', 'in', touching)
    .orderBy('time.start')
    .orderBy('appointments.id')
    .execute();
}

export async function insertAppointment(
  database: Database,
  appointment: Insertable<Appointments>,
): Promise<string> {
  const { id } = await database
    .insertInto('appointments')
    .values(appointment)
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/**
 * Moves an appointment on from the state and version it was read in.
 * @param note to the client; the one before stays unless there is a new one
 * @returns whether it was still there
 */
export async function updateAppointmentStatus(
  database: Database,
  {
    id,
    artist_id,
    status,
    version,
  }: Pick<AppointmentRow, 'id' | 'artist_id' | 'status' | 'version'>,
  next: AppointmentStatus,
  note?: string,
): Promise<boolean> {
  const advanced = await database
    .updateTable('appointments')
    .set({
      status: next,
      version: version + 1,
      updated_at: sql`now()`,
      ...(note ? { artist_note: note } : {}),
    })
    .where('id', '=', id)
    .where('artist_id', '=', artist_id)
    .where('status', '=', status)
    .where('version', '=', version)
    .returning('id')
    .executeTakeFirst();
  return advanced !== undefined;
}

/** Where mails about an appointment go from now on. */
export async function updateAppointmentEmail(
  database: Database,
  id: string,
  email: string,
): Promise<void> {
  await database.updateTable('appointments').set({ email }).where('id', '=', id).execute();
}

/** Gives what is booked after `now` a new version, since where it is has changed; answers the ids. */
export async function incrementUpcomingVersions(
  database: Database,
  artistId: string,
  now: Instant,
): Promise<string[]> {
  const renewed = await database
    .updateTable('appointments')
    .from('appointment_times')
    .set({ version: sql`version + 1`, updated_at: sql`now()` })
    .whereRef('appointment_times.appointment_id', '=', 'appointments.id')
    .where('appointments.artist_id', '=', artistId)
    .where('appointments.status', '=', 'confirmed')
    .where('occupies', '=', true)
    .where(sql`lower(during)`, '>', new Date(now))
    .returning('appointments.id')
    .execute();
  return renewed.map(({ id }) => id);
}

/** Deletes an appointment in the state it was read in; whether it was still there. */
export async function deleteAppointment(
  database: Database,
  {
    id,
    artist_id,
    version,
    place_id,
  }: Pick<AppointmentRow, 'id' | 'artist_id' | 'version' | 'place_id'>,
): Promise<boolean> {
  const deleted = await database
    .deleteFrom('appointments')
    .where('id', '=', id)
    .where('artist_id', '=', artist_id)
    .where('version', '=', version)
    .returning('id')
    .executeTakeFirst();
  if (!deleted) return false;
  // A studio that the artist moved out of goes with the last that took place there.
  await sql`DELETE FROM places WHERE id = ${place_id}
    AND NOT EXISTS (SELECT FROM artists WHERE studio_id = places.id)
    AND NOT EXISTS (SELECT FROM appointments WHERE place_id = places.id)
  `.execute(database);
  return true;
}

/** The time of a row as the domain knows it. */
export function toAppointmentTime(row: {
  start: Date | null;
  end: Date | null;
  lapses_at: Date | null;
}): AppointmentTime | null {
  if (row.start === null || row.end === null) return null;
  return {
    start: row.start.getTime(),
    end: row.end.getTime(),
    expiresAt: row.lapses_at?.getTime() ?? null,
  };
}

/** What an appointment is by now and when it begins, whoever has it; the status is the stored one. */
export async function findAppointmentState(
  database: Database,
  id: string,
): Promise<{ readonly status: AppointmentStatus; readonly start: Instant | null } | undefined> {
  const row = await selectAppointments(database)
    .select(['appointments.status', 'time.start'])
    .where('appointments.id', '=', id)
    .executeTakeFirst();
  return row && { status: row.status, start: row.start?.getTime() ?? null };
}
