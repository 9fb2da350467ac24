/** Inserts appointments, and changes their status and their time, each with its event in the history. */
import { randomUUID } from 'node:crypto';
import { type Insertable, sql, type Updateable } from 'kysely';
import type {
  Actor,
  AppointmentEventKind,
  AppointmentStatus,
  AppointmentTime,
} from '#domain/appointments/appointment.ts';
import type { BufferedTime } from '#domain/booking/availability.ts';
import { refuse } from '#domain/refusal.ts';
import type { AgreedTime } from '#domain/studio/agreed_time.ts';
import type { Instant } from '#domain/time/time.ts';
import { toAgreedColumns } from './agreed_times.ts';
import { type NewAppointmentEvent, toEventRow } from './appointment_events.ts';
import {
  lengthenBuffers,
  type ReservedTime,
  reserveTime,
  shortenedBefore,
  toTimeRow,
} from './appointment_times.ts';
import type { AppointmentRow } from './appointments.ts';
import { UPSERTED_CLIENT_ID, withUpsertedClient } from './clients.ts';
import type { Database, Transaction } from './connect.ts';
import { SENT_WITH_NEXT } from './prepared_statements.ts';
import type { Appointments, Clients } from './tables.ts';

/** The time that an appointment gets. */
type NewTime = AppointmentTime & BufferedTime;

/** A new appointment, with the event and the time of its beginning. */
interface NewAppointment {
  readonly columns: Omit<Insertable<Appointments>, 'client_id'>;
  /** The id, or the client whom `upsertClient` finds or inserts in the same statement. */
  readonly client: string | Insertable<Clients>;
  readonly event: Pick<NewAppointmentEvent, 'actor' | 'what' | 'at'>;
  readonly time: (NewTime & Pick<ReservedTime, 'zone' | 'isReserved'>) | null;
}

/**
 * Inserts an appointment with its event and its time, in one statement, which is sent with the next one of the
 * transaction.
 * @returns its id
 */
export async function insertAppointment(
  transaction: Transaction,
  { columns, client, event, time }: NewAppointment,
): Promise<string> {
  const id = randomUUID();
  const { artist_id: artistId, studio_id: studioId, status: toStatus } = columns;
  const change = { fromStatus: null, fromStart: null, toStatus, toStart: time?.start ?? null };
  const eventRow = toEventRow({ ...event, ...change, appointmentId: id });
  const isKnown = typeof client === 'string';
  const client_id = isKnown ? client : UPSERTED_CLIENT_ID;
  const inserting = (isKnown ? transaction : withUpsertedClient(transaction, client)).with(
    'appointment',
    (db) => db.insertInto('appointments').values({ ...columns, client_id, id }),
  );
  const insertion =
    time === null
      ? inserting.insertInto('appointment_events').values(eventRow)
      : inserting
          .with('event', (db) => db.insertInto('appointment_events').values(eventRow))
          .insertInto('appointment_times')
          .values(toTimeRow({ ...time, appointmentId: id, artistId, studioId }));
  await insertion.modifyEnd(sql.raw(SENT_WITH_NEXT)).execute();
  return id;
}

/**
 * Whether a new appointment with the client's email has it proven: once they have proven it with any
 * appointment. Also if none has it, because then the artist has entered it.
 */
export async function inheritEmailProof(
  database: Database,
  artistId: string,
  clientId: string,
  email: string | null,
): Promise<boolean> {
  const { isProven } = await database
    .selectFrom('appointments')
    .select(sql<boolean>`coalesce(bool_or(email_proven), true)`.as('isProven'))
    .where('artist_id', '=', artistId)
    .where('client_id', '=', clientId)
    .where(sql<boolean>`lower(email) = lower(${email})`)
    .executeTakeFirstOrThrow();
  return isProven;
}

/** Columns that a transition can change beside the status. The client's page shows `artist_note`. */
type TransitionColumns = Pick<
  Updateable<Appointments>,
  'artist_note' | 'design_id' | 'is_set_by_artist' | 'keeps_edition' | 'price' | 'service_id'
>;

/** A change of appointments by one step of the table of transitions. */
export interface AppointmentTransition {
  /**
   * `system`: a deadline has passed. Then the event happened at the deadline, and the version and the deadline
   * stay, because nobody did anything.
   */
  readonly actor: Actor;
  readonly what: AppointmentEventKind;
  readonly status: AppointmentStatus;
  /** The start after the change; the earlier one unless set; null without a time. */
  readonly start?: Instant | null | undefined;
  /**
   * `released`: others can book its time, which stays as a record. An agreed time, which the client has seen:
   * the time is reserved without a deadline, and this is stored as agreed. Unset: the time stays as it is.
   */
  readonly time?: 'released' | AgreedTime | undefined;
  /** The actor's text to the other side, for the history. */
  readonly note?: string | undefined;
  readonly columns?: TransitionColumns | undefined;
}

const STATE_COLUMNS = ['id', 'artist_id', 'status', 'version', 'start', 'expires_at'] as const;

/** An appointment as it was read, before a transition. */
type StoredState = Pick<AppointmentRow, (typeof STATE_COLUMNS)[number]>;

/** `saveTransitions` of one appointment. @throws Refusal `status_changed` if it has changed since it was read */
export async function saveTransition(
  transaction: Transaction,
  row: StoredState,
  transition: AppointmentTransition,
  now: Instant,
): Promise<void> {
  const [saved] = await saveTransitions(transaction, [row], transition, now);
  if (saved === undefined) throw refuse('status_changed');
}

/**
 * Moves an appointment to another time, and reserves it, for the client and for the artist.
 * @throws Refusal `status_changed` as `saveTransition`
 */
export async function saveMove(
  transaction: Transaction,
  row: StoredState & Pick<AppointmentRow, 'studio_id' | 'time_zone'>,
  { time, ...move }: Omit<AppointmentTransition, 'start' | 'time'> & { readonly time: NewTime },
  now: Instant,
): Promise<void> {
  const { id: appointmentId, artist_id: artistId, studio_id: studioId, time_zone: zone } = row;
  await saveTransition(transaction, row, { ...move, start: time.start }, now);
  const owner = { appointmentId, artistId, studioId, zone };
  await reserveTime(transaction, { ...time, ...owner, isReserved: true });
}

/**
 * Changes the status of appointments. Nothing else changes it. One statement changes the appointments, adds to their
 * histories, and releases or occupies their times.
 * @param rows whose passed deadlines are stored (`storeExpiry`); of one artist if their times are released
 * @returns the rows that were changed: not those that had changed since they were read
 */
export async function saveTransitions<Row extends StoredState>(
  transaction: Transaction,
  rows: readonly Row[],
  { time, start, ...transition }: AppointmentTransition,
  now: Instant,
): Promise<Row[]> {
  const [first] = rows;
  if (first === undefined) return [];
  const { actor, what, status, note, columns } = transition;
  const isExpiry = actor === 'system';
  const isReleased = time === 'released';
  const at = isExpiry ? sql`expires_at` : sql`${new Date(now)}::timestamptz`;
  const startsAt = typeof start === 'number' ? new Date(start) : null;
  const toStart = start === undefined ? sql`start` : sql`${startsAt}::timestamptz`;
  const saved = await transaction
    .with('changed', (db) =>
      db
        .updateTable('appointments')
        .from(asTable(rows))
        .set({
          ...columns,
          status,
          version: sql`expected.version + ${isExpiry ? 0 : 1}`,
          updated_at: sql`now()`,
        })
        .whereRef('appointments.id', '=', 'expected.id')
        // Not `=`, so that PostgreSQL finds the rows by their ids, and not by an index on `artist_id`.
        .where(
          sql<boolean>`(appointments.artist_id, appointments.status, appointments.version)
            IS NOT DISTINCT FROM (expected.artist_id, expected.status, expected.version)`,
        )
        .returning(['expected.id', 'expected.status', 'expected.start', 'expected.expires_at']),
    )
    .with('events', (db) =>
      db
        .insertInto('appointment_events')
        .columns([
          'appointment_id',
          'actor',
          'what',
          'happened_at',
          'from_status',
          'to_status',
          'from_start',
          'to_start',
          'note',
        ])
        .expression(
          sql`SELECT id, ${actor}, ${what}, ${at}, status, ${status}, start, ${toStart}, ${note || null}
            FROM changed`,
        ),
    )
    .with('settled', (db) =>
      db
        .updateTable('appointment_times')
        .from('changed')
        .set({
          occupies: !isReleased,
          ...(!isExpiry && { expires_at: null }),
          ...(typeof time === 'object' && toAgreedColumns(time)),
        })
        .where(sql<boolean>`${time !== undefined}`)
        .whereRef('appointment_id', '=', 'changed.id')
        .returning(['appointment_id', shortenedBefore.as('shortened')]),
    )
    .selectFrom('changed')
    .leftJoin('settled', 'appointment_id', 'id')
    .select(['id', 'shortened'])
    .execute();
  if (isReleased) await lengthenBuffers(transaction, first.artist_id, saved);
  const ids = new Set(saved.map(({ id }) => id));
  return rows.filter(({ id }) => ids.has(id));
}

/** The rows as a table `expected`. PostgreSQL plans for one row of `jsonb_to_record`, and for many of a set. */
function asTable(rows: readonly StoredState[]) {
  const isOne = rows.length === 1;
  const json = JSON.stringify(isOne ? rows[0] : rows, [...STATE_COLUMNS]);
  return sql<StoredState>`${sql.raw(isOne ? 'jsonb_to_record' : 'jsonb_to_recordset')}(${json})`.as<'expected'>(
    sql`expected (id uuid, artist_id uuid, status text, version integer, start timestamptz,
      expires_at timestamptz)`,
  );
}
