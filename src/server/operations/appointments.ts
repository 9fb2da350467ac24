import type {
  Appointment,
  AppointmentChanges,
  AppointmentEvent,
  AppointmentQuery,
  AppointmentRangeQuery,
  NewAppointment,
} from '#contract/appointment.ts';
import type { ListPage, PageQuery } from '#contract/common.ts';
import {
  ACTION_OF_STATUS,
  type AppointmentTime,
  type ArtistStatus,
  artistTransition,
  isConfirmed,
  isOver,
  isUndecided,
  occupiesCalendar,
  refuseUnlessDeletable,
  type SetTime,
  setTime,
  TRANSITIONS,
} from '#domain/appointment.ts';
import type { TimeRange } from '#domain/availability.ts';
import { type EditionUse, usesEdition } from '#domain/editions.ts';
import type { AppointmentSnapshot } from '#domain/mail.ts';
import { depositOfBooking, type Price, priceOfBooking } from '#domain/price.ts';
import { InvalidInput, refuse, requireFound } from '#domain/refusal.ts';
import { type Instant, MINUTE_MS } from '#domain/time.ts';
import {
  insertAppointmentEvents,
  listAppointmentEvents,
} from '#server/database/appointment_events.ts';
import * as appointments from '#server/database/appointments.ts';
import { findArtistById } from '#server/database/artists.ts';
import { findOpenAlarm } from '#server/database/booking_limits.ts';
import * as calendar from '#server/database/calendar.ts';
import { findClient, findKeptClientId, upsertClient } from '#server/database/clients.ts';
import type { Database } from '#server/database/connect.ts';
import { findArtistDesign } from '#server/database/designs.ts';
import { findService } from '#server/database/services.ts';
import { requireRoomForClient } from './account_limits.ts';
import { requireEdition } from './bookable.ts';
import type { Context } from './context.ts';
import { toChangedPrice } from './currency.ts';
import { expireHolds, storeAndMailLapse, storeLapse } from './expire_holds.ts';
import { updateCalendar, withOverlapRefusal } from './invalidating.ts';
import { notify, toAppointmentSnapshot } from './notify.ts';
import { saveTransition } from './save_transition.ts';
import { toAppointment, toHistory } from './to_appointment.ts';

export async function listAppointments(
  { database, images }: Context,
  artistId: string,
  { skip, limit, in_alarm, ...query }: AppointmentQuery & { clientId?: string },
  now: Instant,
): Promise<ListPage<Appointment>> {
  const alarm = in_alarm && (await findOpenAlarm(database, artistId));
  if (in_alarm && !alarm) return { data: [], count: 0 };
  const filter = alarm ? { ...query, alarmId: alarm.id } : query;
  const page = { skip, limit };
  const list = await appointments.listAppointments(database, artistId, filter, now, page);
  return { data: list.rows.map((row) => toAppointment(images, row, now)), count: list.count };
}

/**
 * All appointments of one client, erased or not, the last created first. The id of a merged client
 * lists those of the client into whom it was merged.
 * @throws Refusal `not_found` when the artist has no such client
 */
export async function listAppointmentsOfClient(
  context: Context,
  artistId: string,
  id: string,
  page: PageQuery,
  now: Instant,
): Promise<ListPage<Appointment>> {
  const clientId = requireFound(await findKeptClientId(context.database, artistId, id));
  return listAppointments(context, artistId, { ...page, order: 'newest', clientId }, now);
}

/**
 * The appointments in a time range that are held (the client chose the time and must confirm it),
 * offered (the artist set it, the client must confirm it), confirmed, completed or a no-show.
 */
export async function listScheduledAppointments(
  { database, images }: Context,
  artistId: string,
  { start, end }: AppointmentRangeQuery,
  now: Instant,
): Promise<ListPage<Appointment>> {
  const range = parseTimeRange(start, end);
  const rows = await appointments.listOverlappingAppointments(database, artistId, range);
  const data = rows
    .map((row) => toAppointment(images, row, now))
    .filter(({ status }) => occupiesCalendar(status) || isConfirmed(status));
  return { data, count: data.length };
}

export async function loadAppointment(
  { database, images }: Context,
  artistId: string,
  id: string,
  now: Instant,
): Promise<Appointment> {
  return toAppointment(images, await loadAppointmentRow(database, artistId, id), now);
}

/** @throws Refusal `not_found`, also for an appointment of another artist */
export async function loadAppointmentRow(
  database: Database,
  artistId: string,
  id: string,
): Promise<appointments.AppointmentRow> {
  return requireFound(await appointments.findAppointment(database, artistId, id));
}

/**
 * The artist enters an appointment. It needs no confirmation, and may lie outside opening hours.
 * @param entry has either a known client's id, or the details of a client
 * @throws Refusal `not_found` for another artist's service, design or client; `time_taken`,
 *   `editions_used_up`, `wrong_client`
 */
export async function createAppointment(
  context: Context,
  artistId: string,
  entry: NewAppointment,
): Promise<Appointment> {
  return updateCalendar(context, artistId, async (transaction, now) => {
    const artist = requireFound(await findArtistById(transaction, artistId));
    const client = await resolveClient(transaction, artistId, entry);
    const last = await findLastSession(transaction, artistId, entry, client.client_id);
    const { service_id = null, design_id = last?.design_id ?? null } = entry;
    const service = await requireServiceOfEntry(transaction, artistId, service_id, last);
    const design = await requireDesignOfEntry(transaction, artistId, design_id, last);
    const projectId = last && (last.project_id ?? last.id);
    if (design)
      await requireEdition(
        transaction,
        design,
        now,
        { id: last?.id ?? null, project_id: projectId ?? null },
        'editions_used_up',
      );
    if (last) await appointments.ensureProject(transaction, last);
    const price =
      entry.price === undefined
        ? priceOfBooking(design, service)
        : ((await toChangedPrice(transaction, artistId, entry.price)) ?? null);
    const id = await appointments.insertAppointment(transaction, {
      ...client,
      artist_id: artistId,
      place_id: artist.studio_id, // The table of studios is named `places`.
      service_id,
      design_id,
      status: 'confirmed',
      email_proven: true,
      customer_notes: entry.customer_notes,
      price,
      booking_policy: artist.booking_policy,
      deposit: depositOfBooking(price, artist.deposit),
      artist_note: entry.note || null,
      private_notes: entry.private_notes ?? last?.private_notes ?? null,
      project_id: projectId ?? null,
    });
    if (last && entry.private_notes !== undefined)
      await shareNotes(transaction, artistId, id, entry.private_notes);
    const created = { id, artist_id: artistId, place_id: artist.studio_id };
    const time = parseTimeRange(entry.start, entry.end);
    await insertAppointmentEvents(transaction, [
      {
        appointmentId: id,
        actor: 'artist',
        what: 'entered',
        at: now,
        fromStatus: null,
        toStatus: 'confirmed',
        fromStart: null,
        toStart: time.start,
      },
    ]);
    await reserveWithBuffer(context, transaction, created, { ...time, expiresAt: null }, now);
    // The client needs no mail about an appointment that has already begun.
    const mailKind = time.start <= now ? null : 'booked';
    return notifyAndLoad(context, transaction, created, { mailKind, rowBefore: null }, now);
  });
}

/**
 * The mail to the client about a new time, by the appointment's status after the change. The mails
 * `hold` and `offer` ask the client to confirm.
 */
const MAIL_KIND_OF_NEW_TIME = { held: 'hold', offered: 'offer', confirmed: 'moved' } as const;

/**
 * The artist changes the status, or the time and the details: what it is about, its price and its notes.
 * Equal values change nothing.
 * @throws Refusal `not_found`, also for another artist's service or design; `stale_version`,
 *   `status_changed`, `not_begun`, `time_taken`, `reopened_time_taken`, `editions_used_up`
 * @throws InvalidInput when a client would be asked to confirm a time that has begun
 */
export async function updateAppointment(
  context: Context,
  artistId: string,
  id: string,
  { start, end, status, note, version, keep_edition, ...details }: AppointmentChanges,
): Promise<Appointment> {
  return updateCalendar(context, artistId, async (transaction, now) => {
    const stored = await loadAppointmentRow(transaction, artistId, id);
    const isMailed = status !== undefined || start !== undefined;
    const row = isMailed
      ? await storeLapse(transaction, stored, now)
      : await storeAndMailLapse(context, transaction, stored, now);
    // A call without a `version` is never refused as stale.
    const isStale = version !== undefined && version !== row.version;
    if (status !== undefined) {
      if (isStale) throw refuse('stale_version');
      const keepsEdition = keep_edition ?? false;
      return changeStatus(context, transaction, row, { status, note, keepsEdition }, now);
    }
    if (start === undefined || end === undefined) {
      if (isStale) throw refuse('stale_version');
      const edited = await changeDetails(transaction, row, { ...details, note }, now);
      return toAppointment(context.images, edited, now);
    }
    const time = parseTimeRange(start, end);
    const appointment = appointments.toAppointmentState(row);
    // `setTime` precedes the version check: an invalid time is a 422 even with a stale version.
    const next = setTime(appointment, time.start, context.confirmationDeadlines, now);
    if (isStale) throw refuse('stale_version');
    if (next.status !== 'offered' && isTimeOf(row, time)) {
      const edited = await changeDetails(transaction, row, { ...details, note }, now);
      return toAppointment(context.images, edited, now);
    }
    const edited = await changeDetails(transaction, row, details, now);
    return changeTime(context, transaction, edited, { ...next, time, note }, now);
  });
}

function isTimeOf(row: appointments.AppointmentRow, time: TimeRange): boolean {
  const stored = appointments.toAppointmentTime(row);
  return stored?.start === time.start && stored.end === time.end;
}

async function changeStatus(
  context: Context,
  transaction: Database,
  row: appointments.AppointmentRow,
  {
    status,
    note,
    keepsEdition,
  }: {
    readonly status: ArtistStatus;
    readonly note: string | undefined;
    /** Whether a cancelled appointment still uses up its edition. */
    readonly keepsEdition: boolean;
  },
  now: Instant,
): Promise<Appointment> {
  const appointment = appointments.toAppointmentState(row);
  const action = ACTION_OF_STATUS[status];
  const nextStatus = artistTransition(appointment, action, now);
  const { event: what } = TRANSITIONS.artist[action];
  // Only what uses up an edition can keep it from others.
  const keeps = keepsEdition && usesEdition(toEditionUse(row), now);
  // Clients see the note that belongs to the present state. Marking attendance and undoing it leave the
  // note, because it is about the time.
  const artistNote = isConfirmed(nextStatus) ? undefined : note || null;
  await saveTransition(
    transaction,
    row,
    { actor: 'artist', what, status: nextStatus, note, artistNote, keepsEdition: keeps },
    now,
  );
  // The time of a closed appointment becomes free; that of a reopened one must still be free.
  if (nextStatus === 'confirmed') await reserveTimeAgain(context, transaction, row, now);
  else await calendar.releaseTime(transaction, row.artist_id, row.id);
  // Marking attendance mails nobody, and neither does an appointment that is over.
  const isMailed = nextStatus === 'declined' || nextStatus === 'cancelled';
  const isExpected = !isOver(appointment, now) || (await wasAhead(transaction, row, now));
  const mailKind = isMailed && isExpected ? nextStatus : null;
  return notifyAndLoad(context, transaction, row, { mailKind, rowBefore: row }, now);
}

/** @throws Refusal `reopened_time_taken` */
async function reserveTimeAgain(
  context: Context,
  transaction: Database,
  { id, artist_id, start, blocked_until }: appointments.AppointmentRow,
  now: Instant,
): Promise<void> {
  if (start === null || blocked_until === null) return;
  const blocked = { start: start.getTime(), end: blocked_until.getTime() };
  await expireHolds(context, transaction, artist_id, { overlapping: blocked }, now);
  await withOverlapRefusal('reopened_time_taken', () =>
    calendar.confirmTime(transaction, artist_id, id),
  );
}

/** Whether the appointment was moved away from a time after `now`, which its client may still expect. */
async function wasAhead(
  transaction: Database,
  { artist_id, id }: Pick<appointments.AppointmentRow, 'artist_id' | 'id'>,
  now: Instant,
): Promise<boolean> {
  const events = await listAppointmentEvents(transaction, artist_id, id);
  return events.some(
    ({ what, from_start }) => what === 'moved' && from_start !== null && from_start.getTime() > now,
  );
}

async function changeTime(
  context: Context,
  transaction: Database,
  row: appointments.AppointmentRow,
  next: SetTime & { readonly time: TimeRange; readonly note: string | undefined },
  now: Instant,
): Promise<Appointment> {
  const { action, status, expiresAt, time } = next;
  // An offer has its own note, or none. Otherwise a note that is not given stays; an empty one goes.
  const noteBefore = action === 'offer' ? null : row.artist_note;
  const artistNote = next.note === undefined ? noteBefore : next.note || null;
  const oldTime = appointments.toAppointmentTime(row);
  // An offer with another note is mailed again.
  if (action === 'move' && isTimeOf(row, time) && artistNote === row.artist_note)
    return toAppointment(context.images, row, now);
  const use = toEditionUse(row);
  // An unreserved pick, and a request, use up no edition before the artist reserves a time for them.
  if (row.design_id !== null && !usesEdition(use, now))
    await requireEdition(
      transaction,
      { id: row.design_id, editions: row.editions },
      now,
      row,
      'editions_used_up',
    );
  const { event: what } = TRANSITIONS.artist[action];
  await saveTransition(
    transaction,
    row,
    {
      actor: 'artist',
      what,
      status,
      start: time.start,
      note: next.note || undefined,
      artistNote,
      isSetByArtist: true,
    },
    now,
  );
  await reserveWithBuffer(context, transaction, row, { ...time, expiresAt }, now);
  // When both times have begun, the artist only corrects a record: the client needs no mail.
  const isCorrection = oldTime !== null && oldTime.start <= now && time.start <= now;
  const mailKind = isCorrection ? null : MAIL_KIND_OF_NEW_TIME[status];
  const change = { mailKind, isMove: action === 'move', rowBefore: row };
  return notifyAndLoad(context, transaction, row, change, now);
}

const REQUEST_NOTE_TEXT = 'A request has no note before its answer or its time';

/** The details that the artist edits. Undefined ones keep their value. */
type DetailChanges = Pick<
  AppointmentChanges,
  'service_id' | 'design_id' | 'price' | 'note' | 'private_notes'
>;

/**
 * Changes the service, the design, the price and the notes of an appointment. With another service or
 * design, the price becomes that of the design, or else of the service, unless one is given or neither
 * has one. Equal details change nothing.
 * @returns the row as it is now
 * @throws Refusal `not_found` for another artist's service or design; `editions_used_up`;
 *   `status_changed` if it changed concurrently
 * @throws InvalidInput for a note on a request, which its client would not see
 */
async function changeDetails(
  transaction: Database,
  row: appointments.AppointmentRow,
  changes: DetailChanges,
  now: Instant,
): Promise<appointments.AppointmentRow> {
  if (changes.note && row.status === 'requested')
    throw new InvalidInput(['body', 'note'], REQUEST_NOTE_TEXT);
  const { artist_id: artistId } = row;
  const { service_id = row.service_id, design_id = row.design_id } = changes;
  const isNewService = service_id !== row.service_id;
  const isNewDesign = design_id !== row.design_id;
  if (isNewService) await requireOwnService(transaction, artistId, service_id);
  const design = isNewDesign ? await requireOwnDesign(transaction, artistId, design_id) : null;
  if (design && usesEdition(toEditionUse(row), now))
    await requireEdition(transaction, design, now, row, 'editions_used_up');
  const given = await toChangedPrice(transaction, artistId, changes.price);
  const isAboutOther = isNewService || isNewDesign;
  const itsPrice = isAboutOther
    ? ((await loadPrice(transaction, artistId, { service_id, design_id })) ?? row.price)
    : row.price;
  const price = given === undefined ? itsPrice : given;
  const note = changes.note === undefined ? row.artist_note : changes.note || null;
  const isShown = isAboutOther || note !== row.artist_note || !isSamePrice(price, row.price);
  const { private_notes } = changes;
  const isNoted = private_notes !== undefined && private_notes !== (row.private_notes ?? '');
  if (!isShown && !isNoted) return row;
  const details = { service_id, design_id, price, artist_note: note, private_notes };
  if (!(await appointments.updateAppointmentDetails(transaction, row, details, isShown)))
    throw refuse('status_changed');
  const status = row.status;
  const start = row.start?.getTime() ?? null;
  if (isShown)
    await insertAppointmentEvents(transaction, [
      {
        appointmentId: row.id,
        actor: 'artist',
        what: 'edited',
        at: now,
        fromStatus: status,
        toStatus: status,
        fromStart: start,
        toStart: start,
      },
    ]);
  return loadAppointmentRow(transaction, artistId, row.id);
}

/** What a service and a design cost now; null without a price. */
async function loadPrice(
  database: Database,
  artistId: string,
  ids: { readonly service_id: string | null; readonly design_id: string | null },
): Promise<Price | null> {
  const { service_id: serviceId, design_id: designId } = ids;
  const all = { onlyAvailable: false };
  const [design, service] = [
    designId === null ? null : await findArtistDesign(database, artistId, designId),
    serviceId === null ? null : await findService(database, artistId, serviceId, all),
  ];
  return priceOfBooking(design, service);
}

function isSamePrice(one: Price | null, other: Price | null): boolean {
  return (
    one?.kind === other?.kind &&
    one?.amount === other?.amount &&
    one?.amount_to === other?.amount_to &&
    one?.currency === other?.currency
  );
}

function toEditionUse(row: appointments.AppointmentRow): EditionUse {
  return {
    ...appointments.toAppointmentState(row),
    isReserved: row.occupies === true,
    keepsEdition: row.keeps_edition,
  };
}

/** The artist may also book a service that clients cannot book. @throws Refusal `not_found` */
async function requireOwnService(database: Database, artistId: string, id: string | null) {
  if (id === null) return null;
  return requireFound(await findService(database, artistId, id, { onlyAvailable: false }));
}

/** The artist may also book a design that clients cannot book. @throws Refusal `not_found` */
async function requireOwnDesign(database: Database, artistId: string, id: string | null) {
  return id === null ? null : requireFound(await findArtistDesign(database, artistId, id));
}

/** The next session may have the service of the last one, also if that is deleted. @throws Refusal `not_found` */
async function requireServiceOfEntry(
  database: Database,
  artistId: string,
  id: string | null,
  last: appointments.AppointmentRow | undefined,
) {
  if (last && id !== null && id === last.service_id) return { price: last.service_price };
  return requireOwnService(database, artistId, id);
}

/** The next session may have the design of the last one, also if that is deleted. @throws Refusal `not_found` */
async function requireDesignOfEntry(
  database: Database,
  artistId: string,
  id: string | null,
  last: appointments.AppointmentRow | undefined,
) {
  if (last && id !== null && id === last.design_id)
    return { id, price: last.design_price, editions: last.editions };
  return requireOwnDesign(database, artistId, id);
}

/**
 * The appointment that the new one follows as the next session; undefined without one.
 * @throws Refusal `not_found`; `wrong_client` when it is another client's
 */
async function findLastSession(
  transaction: Database,
  artistId: string,
  { next_session_of: lastId }: NewAppointment,
  clientId: string,
): Promise<appointments.AppointmentRow | undefined> {
  if (lastId === undefined) return undefined;
  const last = await loadAppointmentRow(transaction, artistId, lastId);
  if (last.client_id !== clientId) throw refuse('wrong_client');
  return last;
}

/** Writes private notes to all sessions of a project. */
async function shareNotes(
  transaction: Database,
  artistId: string,
  id: string,
  private_notes: string,
): Promise<void> {
  const row = await loadAppointmentRow(transaction, artistId, id);
  await appointments.updateAppointmentDetails(transaction, row, { private_notes }, false);
}

/**
 * Those who want the same as an appointment that waits for a decision: requests, holds and offers for its
 * design, if it has a limit, or with a time that overlaps its own. Empty for an appointment that is decided.
 */
export async function listRivals(
  { database, images }: Context,
  artistId: string,
  id: string,
  now: Instant,
): Promise<ListPage<Appointment>> {
  const row = await loadAppointmentRow(database, artistId, id);
  if (!isUndecided(toAppointment(images, row, now).status)) return { data: [], count: 0 };
  const rows = await appointments.listRivals(database, row, now);
  const data = rows.map((one) => toAppointment(images, one, now));
  return { data, count: data.length };
}

/** The history of an appointment, the oldest first. */
export async function listHistory(
  { database }: Context,
  artistId: string,
  id: string,
  now: Instant,
): Promise<ListPage<AppointmentEvent>> {
  const row = await loadAppointmentRow(database, artistId, id);
  const data = toHistory(row, await listAppointmentEvents(database, artistId, id), now);
  return { data, count: data.length };
}

/**
 * The artist deletes a declined, expired or cancelled appointment.
 * @throws Refusal `not_found`, `not_deletable`; `status_changed` if it changed concurrently
 */
export async function deleteAppointment(
  context: Context,
  artistId: string,
  id: string,
): Promise<void> {
  await updateCalendar(context, artistId, async (transaction, now) => {
    const row = await loadAppointmentRow(transaction, artistId, id);
    refuseUnlessDeletable(appointments.toAppointmentState(row), now);
    if (!(await appointments.deleteAppointment(transaction, row))) throw refuse('status_changed');
  });
}

interface ChangeNotice {
  /** The mail to the client; null for no mail. */
  readonly mailKind: 'booked' | 'hold' | 'offer' | 'moved' | 'declined' | 'cancelled' | null;
  /** Whether the artist can undo a move, so that its mail waits. */
  readonly isMove?: boolean;
  /** The row as it was before the change; null for a new appointment. */
  readonly rowBefore: appointments.AppointmentRow | null;
}

/** Queues a mail to the client about a change, and loads the changed appointment. */
async function notifyAndLoad(
  context: Context,
  transaction: Database,
  { id, artist_id }: Pick<appointments.AppointmentRow, 'id' | 'artist_id'>,
  { mailKind, isMove = false, rowBefore }: ChangeNotice,
  now: Instant,
): Promise<Appointment> {
  const row = await loadAppointmentRow(transaction, artist_id, id);
  if (mailKind !== null) {
    const oldStart = rowBefore?.start?.getTime() ?? null;
    const newStart = row.start?.getTime() ?? null;
    const wasBooked = rowBefore?.status === 'confirmed';
    const movedFrom = oldStart === newStart ? null : oldStart;
    const beforeMove = isMove && rowBefore ? toStateBefore(rowBefore) : null;
    const appointment = {
      ...toAppointmentSnapshot(row, { wasBooked }),
      movedFrom,
      ...(beforeMove && { beforeMove }),
    };
    await notify(context, transaction, artist_id, [{ kind: mailKind, appointment }]);
  }
  return toAppointment(context.images, row, now);
}

/** What an undo of a move restores; null without a time. */
function toStateBefore(row: appointments.AppointmentRow): AppointmentSnapshot['beforeMove'] | null {
  const time = appointments.toAppointmentTime(row);
  return (
    time && { start: time.start, end: time.end, lapsesAt: time.expiresAt, note: row.artist_note }
  );
}

/**
 * Reserves a time and the artist's buffer after it, in place of the appointment's earlier time.
 * Before that, releases overlapping times that other clients did not confirm by their deadline.
 * @param time `expiresAt` is the client's deadline to confirm; null when they need not confirm
 */
export async function reserveWithBuffer(
  context: Context,
  transaction: Database,
  row: Pick<appointments.AppointmentRow, 'id' | 'artist_id' | 'place_id'>,
  time: AppointmentTime,
  now: Instant,
): Promise<void> {
  const bufferMinutes = await calendar.loadBufferMinutes(transaction, row.artist_id);
  const blocked = { start: time.start, end: time.end + bufferMinutes * MINUTE_MS };
  await expireHolds(context, transaction, row.artist_id, { overlapping: blocked }, now);
  await calendar.reserveTime(transaction, {
    ...time,
    blocked,
    appointmentId: row.id,
    artistId: row.artist_id,
    studioId: row.place_id,
    isReserved: true,
  });
}

/** Finds or inserts the client. Returns the columns that an appointment stores about them. */
async function resolveClient(
  transaction: Database,
  artistId: string,
  { client: enteredClient, client_id }: NewAppointment,
) {
  if (enteredClient !== undefined) {
    const { first_name, last_name, email = null, phone_number, pronouns } = enteredClient;
    const details = { first_name, last_name, email, phone_number, pronouns };
    await requireRoomForClient(transaction, artistId, email);
    const id = await upsertClient(transaction, { ...details, artist_id: artistId });
    return { ...details, client_id: id };
  }
  const knownClient = client_id && (await findClient(transaction, artistId, client_id));
  if (!knownClient) throw refuse('not_found');
  const { id, ...details } = knownClient;
  return { ...details, client_id: id };
}

/** In the API the end is the start of the last minute; inside our server it is exclusive. */
function parseTimeRange(start: string, end: string): TimeRange {
  return { start: Date.parse(start), end: Date.parse(end) + MINUTE_MS };
}
