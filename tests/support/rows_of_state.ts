import { createHash } from 'node:crypto';
import type pg from 'pg';
import { toEmailHint, toNetworkHint } from '#domain/mailbox.ts';
import { hashKey, hashMailbox } from '#server/database/hashed_keys.ts';
import type { ArtistRow } from './database_rows.ts';
import { createAppointmentFacts } from './database_rows.ts';
import { PASSWORD_HASH } from './new_artist.ts';
import { createDailySchedule, NEW_YORK } from './sample_people.ts';

/**
 * Fills every table of a database. Row `n` of a table refers to row `n`
 * of each other table (modulo the other's number of rows), so that an artist's appointment has a client,
 * a service and a time of the same artist. A column gets a value of its type, unless `VALUES` has one.
 */

/** The usernames of the artists; row `n` of most tables belongs to artist `n % 3`. */
export const ARTISTS = ['ana', 'bo', 'cleo'] as const;

/** The statuses of the appointments, in the order of their rows. */
export const STATUSES = [
  ...['confirmed', 'offered', 'cancelled'],
  ...['held', 'declined', 'completed'],
  ...['requested', 'expired', 'no_show'],
] as const;
/** The services of row `n`; artists who offer times have none. */
const hasService = (n: number) => n % 3 !== 1;
const STATUSES_WITH_TIME = ['confirmed', 'offered', 'held', 'completed', 'no_show', 'expired'];
const OCCUPYING = ['confirmed', 'offered', 'held', 'completed', 'no_show'];

/** How many rows a table gets; others get three. */
const ROWS: Readonly<Record<string, number>> = {
  appointments: STATUSES.length,
  // Two of each artist, so that one can be merged into the other.
  clients: 6,
  billing: 1,
  reminder_sweep: 1,
  write_probe: 1,
};
const DEFAULT_ROWS = 3;

/** Filled by triggers, or by the migrations themselves. */
const NOT_FILLED = ['explore_listings', 'migrations'];

const LATER = '2035-01-01T00:00:00Z';
const emailOf = (n: number) => `client${n}@example.com`;
const textOf = (value: unknown) => JSON.stringify(value);
const startOf = (n: number) => Date.parse('2034-06-05T14:00:00Z') + n * 86_400_000;
const rangeOf = (n: number) =>
  `[${new Date(startOf(n)).toISOString()},${new Date(startOf(n) + 3_600_000).toISOString()})`;
const nothing = () => null;

const artistRow = (n: number): ArtistRow => ({
  id: idOf('artists', n % 3),
  username: usernameOf(n),
  email: `${usernameOf(n)}@example.com`,
  studioId: idOf('studios', n % 3),
});
const clientFields = (n: number) => ({
  ...{ email: emailOf(n), first_name: 'Rosa', last_name: 'Quint', pronouns: null },
  ...{ phone_number: null, preferred_contact: 'email', notes: '' },
});
const studioBefore = () => textOf({ name: 'The Studio', ...NEW_YORK, address_two: null });

/** Values by `table.column`, or by `*.column` for the column in all tables. */
const VALUES: Readonly<Record<string, (n: number) => unknown>> = {
  '*.artist_id': (n) => idOf('artists', n % 3),
  '*.sender_id': (n) => idOf('artists', n % 3),
  '*.time_zone': () => 'America/New_York',
  '*.preferred_contact': () => 'email',
  '*.network': () => '203.0.113.0/24',
  '*.expires_at': () => LATER,
  '*.deleted_at': nothing,
  '*.ended_at': nothing,
  '*.merged_into': nothing,
  '*.alarm_id': nothing,
  '*.price': () => textOf({ kind: 'from', amount: 15_000, amount_to: null, currency: 'USD' }),
  '*.deposit': () => textOf({ amount: 5000, currency: 'USD' }),
  '*.country': () => 'US',
  '*.currency': () => 'USD',
  'artists.username': usernameOf,
  'artists.email': (n) => artistRow(n).email,
  'artists.mailbox': (n) => artistRow(n).email,
  'artists.password_hash': () => PASSWORD_HASH,
  'artists.token_version': () => 1,
  'artists.scheduling_type': (n) => (n === 1 ? 'managed' : 'service'),
  'artists.is_active': () => true,
  'artists.is_superuser': () => false,
  'artists.avatar_id': nothing,
  'artists.reminder_hours': () => [72, 24],
  'artists.public_email_kind': () => 'account',
  'artists.other_public_email': nothing,
  'artists.facebook': nothing,
  'artists.instagram': nothing,
  'schedules.weekly': () => textOf(createDailySchedule('09:00', '17:00').weekly),
  'schedules.booking_range': () => textOf({ kind: 'rolling', days: 60 }),
  'schedules.slot_interval_minutes': () => 60,
  'schedule_exceptions.windows': () => textOf([{ start: '10:00', end: '12:00' }]),
  'services.duration_minutes': () => 60,
  'services.is_available': () => true,
  'images.kind': (n) => ['design', 'portfolio', 'avatar'][n],
  'images.widths': () => [400, 800],
  'images.formats': () => ['avif', 'webp'],
  'designs.status': (n) => ['available', 'claimed', 'hidden'][n],
  'designs.duration_minutes': (n) => (n === 1 ? 90 : null),
  'designs.service_id': (n) => (n === 0 ? idOf('services', 0) : null),
  'designs.placements': () => ['arms', 'legs'],
  'designs.color': () => 'black',
  'clients.email': emailOf,
  'clients.email_failed_at': nothing,
  'clients.erased_at': nothing,
  'appointments.client_id': (n) => idOf('clients', n % 3),
  'appointments.service_id': (n) => (hasService(n) ? idOf('services', n % 3) : null),
  'appointments.status': (n) => STATUSES[n],
  'appointments.email': (n) => emailOf(n % 3),
  'appointments.location': () => 'arms',
  'appointments.size': () => 'small',
  'appointments.must_prove_email': () => false,
  'appointment_times.during': rangeOf,
  'appointment_times.blocked': rangeOf,
  'appointment_times.occupies': (n) => OCCUPYING.includes(STATUSES[n] ?? ''),
  'appointment_events.actor': (n) => ['client', 'artist', 'system'][n],
  'appointment_events.what': () => 'confirmed',
  'appointment_events.from_status': () => 'held',
  'appointment_events.to_status': () => 'confirmed',
  'mails.notice': (n) =>
    textOf({
      kind: 'booked',
      appointment: createAppointmentFacts(artistRow(n), idOf('appointments', n)),
    }),
  'mails.address': emailOf,
  'mails.status': (n) => ['queued', 'sent', 'failed'][n],
  'mails.mailbox': (n) => hashMailbox(emailOf(n)),
  'mails.waits_for': () => 'mailbox',
  'mails.calendar_method': () => 'REQUEST',
  'mails.claimed_by': nothing,
  'mailboxes.mailbox': (n) => hashMailbox(emailOf(n)),
  'counted_mails.mailbox': (n) => hashMailbox(emailOf(n)),
  'counted_mails.source': () => hashKey('203.0.113.0/24'),
  'blocked_senders.kind': (n) => (n === 0 ? 'email' : 'network'),
  'blocked_senders.value': (n) =>
    n === 0 ? hashMailbox('spam@example.com') : hashKey(`198.51.10${n}.0/24`),
  'blocked_senders.hint': (n) =>
    n === 0 ? toEmailHint('spam@example.com') : toNetworkHint(`198.51.10${n}.0/24`),
  'messages.email': emailOf,
  'messages.mailbox': (n) => hashMailbox(emailOf(n)),
  'payments_received.method': () => 'cash',
  'payment_events.event': (n) => textOf({ kind: 'checkout_completed', artistId: artistRow(n).id }),
  'subscriptions.status': () => 'active',
  'subscriptions.customer': (n) => `artists payment_customer ${n}`,
  'billing.only_row': () => true,
  'reminder_sweep.only_row': () => true,
  'booking_alarms.closed_at': nothing,
  'email_changes.applied_at': nothing,
  'exports.state': () => 'ready',
  'data_requests.kind': () => 'copy',
  'erasures.kind': () => 'client',
  'write_probe.only_row': () => true,
  'data_requests.done_at': nothing,
  'studio_changes.studio_before': studioBefore,
  'studio_changes.studio_known': studioBefore,
  'studio_changes.moved_times': () => '[]',
  'studio_changes.mail_ids': (n) => [idOf('mails', n)],
  'studio_changes.replaced_mail_ids': () => [],
  'client_merges.merged_id': (n) => idOf('clients', n + 3),
  'client_merges.client_before': (n) => textOf(clientFields(n)),
  'client_merges.client_after': (n) => textOf(clientFields(n)),
  'client_merges.appointment_ids': () => [],
  'client_merges.client_ids': () => [],
  'client_merges.data_request_ids': () => [],
};

/** The id of a row. */
export function idOf(table: string, n: number): string {
  const hash = createHash('sha256').update(`${table} ${n}`).digest('hex');
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-4${hash.slice(13, 16)}-8${hash.slice(17, 20)}-${hash.slice(20, 32)}`;
}

function usernameOf(n: number): string {
  return ARTISTS[n % 3] ?? 'ana';
}

interface Column {
  readonly table: string;
  readonly column: string;
  readonly type: string;
  /** The table to whose id it refers. */
  readonly refers_to: string | null;
}

/** Adds rows to every table that the database has. */
export async function addRowsToEveryTable(client: pg.Client): Promise<void> {
  const columns = await readColumns(client);
  const tables = Map.groupBy(columns, ({ table }) => table);
  for (const [table, own] of tables)
    for (let n = 0; n < (ROWS[table] ?? DEFAULT_ROWS); n += 1) await addRow(client, table, own, n);
  // A time for each appointment that has one, where the table has three rows otherwise.
  const times = tables.get('appointment_times') ?? [];
  for (const [n, status] of STATUSES.entries())
    if (n >= DEFAULT_ROWS && STATUSES_WITH_TIME.includes(status))
      await addRow(client, 'appointment_times', times, n);
  await client.query(`
    UPDATE artists SET avatar_id = images.id FROM images
    WHERE images.artist_id = artists.id AND kind = 'avatar'
  `);
}

async function addRow(
  client: pg.Client,
  table: string,
  columns: readonly Column[],
  n: number,
): Promise<void> {
  const names = columns.map(({ column }) => `"${column}"`);
  const values = columns.map((column) => chooseValue(column, n));
  const parameters = values.map((_, index) => `$${index + 1}`);
  await client.query(`INSERT INTO ${table} (${names}) VALUES (${parameters})`, values);
}

function chooseValue({ table, column, type, refers_to }: Column, n: number): unknown {
  const chosen = VALUES[`${table}.${column}`] ?? VALUES[`*.${column}`];
  if (chosen) return chosen(n);
  if (refers_to !== null) return idOf(refers_to, n % (ROWS[refers_to] ?? DEFAULT_ROWS));
  const text = `${table} ${column} ${n}`;
  switch (type) {
    case 'uuid':
      return column === 'id' ? idOf(table, n) : idOf(text, n);
    case 'text':
    case 'character varying':
      return text;
    case 'integer':
    case 'bigint':
      return n + 1;
    case 'boolean':
      return n % 2 === 1;
    case 'date':
      return `2034-0${n + 1}-01`;
    case 'timestamp with time zone':
      return `2026-10-0${n + 1}T12:00:00Z`;
    case 'bytea':
      return Buffer.from(text);
    default:
      throw new Error(`${table}.${column} of type ${type} needs a value in rows_of_state.ts`);
  }
}

/** The columns that can be written, in an order in which each table comes after those it refers to. */
async function readColumns(client: pg.Client): Promise<Column[]> {
  const { rows } = await client.query<Column>(`
    SELECT class.relname AS table, attname AS column, format_type(atttypid, NULL) AS type,
      (SELECT confrelid::regclass::text FROM pg_constraint
        WHERE contype = 'f' AND conrelid = class.oid AND conkey = ARRAY[attnum]) AS refers_to
    FROM pg_class AS class JOIN pg_attribute ON attrelid = class.oid
    WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND attnum > 0
      AND NOT attisdropped AND attidentity <> 'a'
    ORDER BY class.relname, attnum
  `);
  const waiting = Map.groupBy(
    rows.filter(({ table }) => !NOT_FILLED.includes(table)),
    ({ table }) => table,
  );
  const ordered: Column[] = [];
  while (waiting.size > 0) {
    const next = [...waiting].find(([table, columns]) =>
      columns.every(
        ({ column, refers_to }) =>
          refers_to === null ||
          refers_to === table ||
          column === 'avatar_id' ||
          !waiting.has(refers_to),
      ),
    );
    if (!next) throw new Error(`These tables refer to each other: ${[...waiting.keys()]}`);
    ordered.push(...next[1]);
    waiting.delete(next[0]);
  }
  return ordered;
}
