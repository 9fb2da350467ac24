import type { ArtistChanges } from '#contract/artist.ts';
import type { TimeChangesAnswer } from '#contract/time_changes.ts';
import { agreedTimeAt, startOfAgreedTime } from '#domain/agreed_time.ts';
import { type AppointmentEventKind, isConfirmed } from '#domain/appointment.ts';
import { editionsLeft } from '#domain/editions.ts';
import { formatShortDateAndTime } from '#domain/format_time.ts';
import {
  type AppointmentMailData,
  type AppointmentSnapshot,
  MAILED_UNDO_MS,
} from '#domain/mail.ts';
import { Refusal, type RefusalReason, refuse, requireFound } from '#domain/refusal.ts';
import {
  answerTimeChange,
  type CalendarTime,
  compareStudios,
  filterChangedTimes,
  findOverlap,
  isAnswered,
  type MovedTime,
  NEW_RULES,
  type StudioBefore,
  type StudioChangeKind,
  timeInNewZone,
  undoneTime,
  type ZoneChange,
  type ZoneChangeMode,
} from '#domain/studio_change.ts';
import type { Instant } from '#domain/time.ts';
import { isSameZone } from '#domain/zone_data.ts';
import type { Zone } from '#domain/zone_offsets.ts';
import { fillAgreedTimes } from '#server/database/agreed_times.ts';
import {
  insertAppointmentEvents,
  type NewAppointmentEvent,
} from '#server/database/appointment_events.ts';
import {
  type AppointmentRow,
  incrementUpcomingVersions,
  incrementVersions,
  listAppointmentsOfArtist,
} from '#server/database/appointments.ts';
import { updateStudio } from '#server/database/artists.ts';
import type { Database } from '#server/database/connect.ts';
import { countUsedEditions } from '#server/database/editions.ts';
import {
  dropMails,
  listMailedAppointments,
  listQueuedNotices,
  requeueMails,
} from '#server/database/mails.ts';
import * as studioChanges from '#server/database/studio_changes.ts';
import { findStudio, hasPastAppointments, moveStudio } from '#server/database/studio_moves.ts';
import type { Context } from './context.ts';
import { expireHolds } from './expire_holds.ts';
import { withOverlapRefusal } from './invalidating.ts';
import { enqueueMails, toAppointmentSnapshot, toFullName } from './notify.ts';
import { enqueueMissedReminders } from './reminders.ts';

/** The fields of a profile's changes that are about the studio. */
export type StudioChanges = Pick<ArtistChanges, 'studio' | 'tell_clients' | 'keep'>;

/**
 * Changes the data of the artist's studio. When its address or time zone changes, past appointments
 * keep the old data. Upcoming appointments show the new data, in calendars too, and keep their
 * instants or, after `keep: 'clock_times'`, their wall-clock times. Clients with a confirmed one are
 * mailed only after `tell_clients`, once the change can no longer be undone. Call inside
 * `updateCalendar`.
 * @throws Refusal `clock_times_overlap`
 */
export async function applyStudioChanges(
  context: Pick<Context, 'jobs'>,
  database: Database,
  artistId: string,
  { studio = {}, tell_clients: tellClients = false, keep = 'moments' }: StudioChanges,
  now: Instant,
): Promise<void> {
  const oldStudio = await findStudio(database, artistId);
  if (!oldStudio) return;
  const { id: oldId, ...oldFields } = oldStudio;
  const change = compareStudios(oldFields, studio);
  // Only `renameZones` gives a zone another name: a new zone makes the agreed times unknown.
  const { time_zone: zone, ...others } = studio;
  const changes: typeof studio = change.hasNewZone ? studio : others;
  if (!change.hasNewAddress && !change.hasNewZone) {
    await updateStudio(database, artistId, changes);
    return;
  }
  const zones = { from: oldFields.time_zone, to: changes.time_zone ?? oldFields.time_zone };
  const moved = change.hasNewZone
    ? await moveToZone(context, database, artistId, { ...zones, keep }, now)
    : [];
  const movedIds = appointmentIdsOf(moved);
  // Past appointments keep the old row: `moveStudio` gives the artist a copy, which changes next.
  if (await hasPastAppointments(database, oldId, now, movedIds))
    await moveStudio(database, artistId, oldId, oldFields, now, movedIds);
  await updateStudio(database, artistId, changes);
  await fillAgreedTimes(database, artistId, now);
  const upcomingIds = await raiseVersions(database, artistId, movedIds, now);
  const unsent = await dropUnsentMails(database, artistId, now);
  const { name: nameBefore, ...locationBefore } = oldFields;
  // Undoing keeps a name that was changed on its own since.
  const before =
    changes.name === undefined ? locationBefore : { ...locationBefore, name: nameBefore };
  const made: MadeChange = {
    kind: 'studio',
    before,
    moved,
    unsent,
    studioChange: { ...change, kept: keep, zoneBefore: zones.from },
    // Without `tell_clients`, only clients whose mail about an earlier change was dropped get one.
    mailedIds: upcomingIds.filter((id) => tellClients || unsent?.notices.has(id)),
    remindedIds: tellClients ? [] : upcomingIds,
  };
  await mailAndStoreChange(context, database, artistId, made, now);
}

/**
 * Gives appointments whose zone has new rules their agreed clock times back, or leaves their instants, as
 * the artist answers. Appointments that clocks show as agreed, or whose agreed time has passed, stay.
 * Mails and Undo are those of `applyStudioChanges`. Call inside `updateCalendar`.
 * @throws Refusal `not_found`, `stale_version`, `clock_times_overlap`
 */
export async function applyTimeChanges(
  context: Pick<Context, 'jobs'>,
  database: Database,
  artistId: string,
  { keep, ids: answered, tell_clients: tellClients }: TimeChangesAnswer,
  now: Instant,
): Promise<void> {
  const versions = new Map(answered.map(({ id, version }) => [id, version]));
  const rows = await listAppointmentsOfArtist(database, artistId, [...versions.keys()]);
  if (rows.length < versions.size) throw refuse('not_found');
  const ahead = await studioChanges.listTimesAhead(database, artistId, now);
  const times = ahead.filter(({ appointmentId }) => versions.has(appointmentId));
  const repeated = rows.filter(({ id, version }) => version !== versions.get(id));
  const changed = filterChangedTimes(times);
  // Only as a whole: its Undo would take back a part.
  if (repeated.length > 0 && changed.length > 0) throw refuse('stale_version');
  await requireAnswered(database, artistId, { repeated, times, keep, tellClients }, now);
  const moved = moveTimes(changed, ({ time }) => answerTimeChange(time, keep, now));
  if (moved.length === 0) return;
  const { id, name, ...before } = requireFound(await findStudio(database, artistId));
  const exchange: Exchange = {
    moved,
    refusal: 'clock_times_overlap',
    event: 'rules_changed',
    zone: before.time_zone,
  };
  await replaceTimes(context, database, artistId, exchange, now);
  const unsent = await dropUnsentMails(database, artistId, now);
  const movedIds = appointmentIdsOf(moved);
  const raisedIds = [...movedIds, ...(unsent?.notices.keys() ?? [])];
  const upcomingIds = await raiseVersions(database, artistId, movedIds, now, raisedIds);
  const isMailed = (id: string) =>
    (tellClients && movedIds.includes(id)) || unsent?.notices.has(id) === true;
  const made: MadeChange = {
    kind: 'time_changes',
    before,
    moved,
    unsent,
    studioChange: { ...NEW_RULES, kept: keep, zoneBefore: before.time_zone },
    mailedIds: upcomingIds.filter(isMailed),
    remindedIds: tellClients ? [] : upcomingIds,
  };
  await mailAndStoreChange(context, database, artistId, made, now);
}

interface RepeatedAnswer {
  /** Those of which the artist saw another version. */
  readonly repeated: readonly AppointmentRow[];
  readonly times: readonly studioChanges.StoredTime[];
  readonly keep: ZoneChangeMode;
  readonly tellClients: boolean;
}

/**
 * Another version is seen when the same answer is sent again: its result must stand, with its mails.
 * @throws Refusal `stale_version`
 */
async function requireAnswered(
  database: Database,
  artistId: string,
  { repeated, times, keep, tellClients }: RepeatedAnswer,
  now: Instant,
): Promise<void> {
  if (repeated.length === 0) return;
  const last = await studioChanges.findStudioChange(database, artistId);
  const made = last?.kind === 'time_changes' && !last.isUndone ? last : null;
  const moves = new Map(made?.moved.map(({ appointmentId, before }) => [appointmentId, before]));
  const current = new Map(times.map(({ appointmentId, time }) => [appointmentId, time]));
  const stands = repeated.every(({ id }) => {
    const [before, time] = [moves.get(id), current.get(id)];
    return before && time && isAnswered(time, before, keep, now);
  });
  if (!stands) throw refuse('stale_version');
  if (!tellClients) return;
  const told = await listMailedAppointments(database, made?.mailIds ?? []);
  if (repeated.some(({ id, status, email }) => status === 'confirmed' && email && !told.has(id)))
    throw refuse('stale_version');
}

interface MadeChange extends Pick<StudioMails, 'moved' | 'studioChange' | 'unsent'> {
  readonly kind: StudioChangeKind;
  /** The fields of the studio that an undo restores. */
  readonly before: StudioBefore;
  /** The appointments whose clients are mailed about the change. */
  readonly mailedIds: readonly string[];
  /** Those that a reminder may have missed. */
  readonly remindedIds: readonly string[];
}

/** Queues the mails about a change, which wait for its undo, and stores what the undo needs. */
async function mailAndStoreChange(
  context: Pick<Context, 'jobs'>,
  database: Database,
  artistId: string,
  { kind, before, remindedIds, ...mails }: MadeChange,
  now: Instant,
): Promise<void> {
  const { moved, unsent } = mails;
  const undoUntil = now + MAILED_UNDO_MS;
  const mailIds = await enqueueStudioMails(context, database, artistId, { ...mails, undoUntil });
  await enqueueRemindersOf(context, database, artistId, moved, remindedIds, now);
  await studioChanges.replaceStudioChange(database, artistId, {
    kind,
    undoUntil,
    before,
    moved,
    mailIds,
    replacedMailIds: unsent?.mailIds ?? [],
    studioKnown: unsent?.studioKnown ?? before,
  });
}

/**
 * Undoes the artist's last change, if it is of this kind: the studio's data, the times of appointments
 * with what was agreed, and the mails that wait. Mails about the change before, which it has replaced, are
 * queued again. Times that were set, confirmed or cancelled since stay as they are. Undoing twice changes
 * nothing. Call inside `updateCalendar`.
 * @throws Refusal `undo_too_late`, `undo_time_taken`
 */
export async function undoStudioChanges(
  context: Pick<Context, 'jobs'>,
  database: Database,
  artistId: string,
  kind: StudioChangeKind,
  now: Instant,
): Promise<void> {
  const change = await studioChanges.findStudioChange(database, artistId);
  if (change?.kind !== kind) throw refuse('undo_too_late');
  if (change.isUndone) return;
  if (change.undoUntil <= now) throw refuse('undo_too_late');
  await studioChanges.markStudioChangeUndone(database, artistId, now);
  await dropMails(database, change.mailIds);
  await updateStudio(database, artistId, change.before);
  const restored = await moveTimesBack(context, database, artistId, change, now);
  await fillAgreedTimes(database, artistId, now);
  const restoredIds = appointmentIdsOf(restored);
  const raisedIds = kind === 'studio' ? undefined : restoredIds;
  const upcomingIds = await raiseVersions(database, artistId, restoredIds, now, raisedIds);
  await enqueueRemindersOf(context, database, artistId, restored, upcomingIds, now);
  const requeued = await requeueMails(database, artistId, change.replacedMailIds);
  const jobs = requeued.map((id) => ({ kind: 'mail', id }) as const);
  await context.jobs.enqueue(database, jobs);
}

/** Queues the reminders that became overdue by the moves of confirmed upcoming appointments. */
async function enqueueRemindersOf(
  context: Pick<Context, 'jobs'>,
  database: Database,
  artistId: string,
  moved: readonly MovedTime[],
  upcomingIds: readonly string[],
  now: Instant,
): Promise<void> {
  const upcoming = new Set(upcomingIds);
  const upcomingMoves = moved.filter(({ appointmentId }) => upcoming.has(appointmentId));
  await enqueueMissedReminders(context, database, artistId, upcomingMoves, now);
}

/**
 * Gives upcoming appointments their times in the new zone.
 * @returns the times that changed, or whose agreed time did, each with its appointment, before and after
 */
async function moveToZone(
  context: Pick<Context, 'jobs'>,
  database: Database,
  artistId: string,
  change: ZoneChange,
  now: Instant,
): Promise<MovedTime[]> {
  const times = await studioChanges.listMovableTimes(database, artistId, now);
  const moved = moveTimes(times, ({ time }) => timeInNewZone(time, change, now));
  const exchange: Exchange = {
    moved,
    refusal: 'clock_times_overlap',
    event: 'zone_changed',
    zone: change.to,
  };
  await replaceTimes(context, database, artistId, exchange, now);
  return moved;
}

/** @param toTime returns the new time; null for a time that stays */
function moveTimes(
  times: readonly studioChanges.StoredTime[],
  toTime: (stored: studioChanges.StoredTime) => CalendarTime | null,
): MovedTime[] {
  return times.flatMap((stored) => {
    const { id, appointmentId, time: before } = stored;
    const after = toTime(stored);
    return after === null ? [] : [{ id, appointmentId, before, after }];
  });
}

/**
 * Gives appointments back the times that they had before a change of the studio.
 * @returns the times that changed, each with its appointment, before and after
 */
async function moveTimesBack(
  context: Pick<Context, 'jobs'>,
  database: Database,
  artistId: string,
  { moved, before: studio }: Pick<studioChanges.StudioChangeRecord, 'moved' | 'before'>,
  now: Instant,
): Promise<MovedTime[]> {
  const current = await studioChanges.listTimes(
    database,
    artistId,
    moved.map(({ id }) => id),
  );
  const movedById = new Map(moved.map((time) => [time.id, time]));
  const restored = moveTimes(current, ({ id, time, status }) => {
    const change = movedById.get(id);
    return change ? undoneTime(change, time, status) : null;
  });
  const exchange: Exchange = {
    moved: restored,
    refusal: 'undo_time_taken',
    event: 'change_undone',
    zone: studio.time_zone,
  };
  await replaceTimes(context, database, artistId, exchange, now);
  await releaseTakenEditions(database, artistId, restored, now);
  return restored;
}

/**
 * Others may have booked all editions of a design since the change had ended a hold or an offer of it:
 * then it gets its time back, but does not reserve it. Its client can confirm once an edition is left.
 */
async function releaseTakenEditions(
  database: Database,
  artistId: string,
  restored: readonly MovedTime[],
  now: Instant,
): Promise<void> {
  const revived = restored.filter(
    ({ before, after }) => !reserves(before, now) && reserves(after, now),
  );
  const rows = await listAppointmentsOfArtist(database, artistId, appointmentIdsOf(revived));
  const rowById = new Map(rows.map((row) => [row.id, row]));
  // One after the other: each that is released leaves its edition to the next.
  for (const { id, appointmentId } of revived) {
    const row = rowById.get(appointmentId);
    if (!row || row.design_id === null || row.editions === null || isConfirmed(row.status))
      continue;
    const except = { id: appointmentId, projectId: row.project_id };
    const used = await countUsedEditions(database, row.design_id, now, except);
    if (editionsLeft(row.editions, used) === 0)
      await studioChanges.releaseTimes(database, artistId, [id]);
  }
}

/** Whether nobody else can book a time at `now`. */
function reserves({ isReserved, expiresAt }: CalendarTime, now: Instant): boolean {
  return isReserved && (expiresAt === null || expiresAt > now);
}

interface Exchange {
  readonly moved: readonly MovedTime[];
  /** When two times overlap. */
  readonly refusal: RefusalReason;
  /** Of the histories. */
  readonly event: AppointmentEventKind;
  /** The studio's after the change. */
  readonly zone: Zone;
}

/** Replaces times together: one may take the place that another leaves. */
async function replaceTimes(
  context: Pick<Context, 'jobs'>,
  database: Database,
  artistId: string,
  exchange: Exchange,
  now: Instant,
): Promise<void> {
  const { moved, refusal, event } = exchange;
  if (moved.length === 0) return;
  await studioChanges.releaseTimes(
    database,
    artistId,
    moved.map(({ id }) => id),
  );
  // Other holds and offers past their deadline reserve nothing any more.
  await expireHolds(context, database, artistId, 'all', now);
  await refuseOverlap(database, artistId, exchange);
  const times = moved.map(({ id, after }) => ({ id, time: after }));
  await withOverlapRefusal(refusal, () => studioChanges.updateTimes(database, artistId, times));
  await insertMoves(database, artistId, moved, event, now);
}

/**
 * Names two appointments that would overlap. The database's constraint, which names none, has the last word.
 * @throws Refusal
 */
async function refuseOverlap(
  database: Database,
  artistId: string,
  { moved, refusal, zone }: Exchange,
): Promise<void> {
  const times = moved.map(({ appointmentId, after: time }) => ({ appointmentId, time }));
  const range = {
    start: Math.min(...times.map(({ time }) => time.start)),
    end: Math.max(...times.map(({ time }) => time.blockedUntil)),
  };
  const others = await studioChanges.listReservedTimes(database, artistId, range);
  const overlap = findOverlap([...others, ...times]);
  if (!overlap) return;
  const ids = overlap.map(({ appointmentId }) => appointmentId);
  const rows = await listAppointmentsOfArtist(database, artistId, ids);
  const describe = ({ appointmentId, time }: (typeof overlap)[number]) => {
    const row = rows.find(({ id }) => id === appointmentId);
    const name = (row && (toFullName(row) ?? row.email)) ?? 'A client without a name';
    return `${name} (${formatShortDateAndTime(time.start, zone)})`;
  };
  const [first, second] = overlap;
  throw new Refusal(refusal, { overlapping: [describe(first), describe(second)] });
}

/** Adds the change of the times to the histories of the appointments. */
async function insertMoves(
  database: Database,
  artistId: string,
  moved: readonly MovedTime[],
  what: AppointmentEventKind,
  now: Instant,
): Promise<void> {
  const rows = await listAppointmentsOfArtist(database, artistId, appointmentIdsOf(moved));
  const statusById = new Map(rows.map(({ id, status }) => [id, status]));
  const events = moved.flatMap(({ appointmentId, before, after }): NewAppointmentEvent[] => {
    const status = statusById.get(appointmentId);
    if (status === undefined) return [];
    // In another zone, a time that keeps its instant is no news of this appointment alone.
    const isSame = before.start === after.start && before.agreed?.zone !== after.agreed?.zone;
    if (isSame) return [];
    const change = { fromStatus: status, toStatus: status, fromStart: before.start };
    return [{ appointmentId, actor: 'artist', what, at: now, ...change, toStart: after.start }];
  });
  await insertAppointmentEvents(database, events);
}

/**
 * Raises the versions of upcoming appointments with a time and of those that moved: calendar apps
 * accept a changed event only if its version is higher, and a client confirms only what they saw.
 * @param onlyIds the upcoming ones; all unless set
 * @returns the ids of the confirmed upcoming appointments
 */
async function raiseVersions(
  database: Database,
  artistId: string,
  movedIds: readonly string[],
  now: Instant,
  onlyIds?: readonly string[],
): Promise<string[]> {
  const upcoming = await incrementUpcomingVersions(database, artistId, now, onlyIds);
  const raised = new Set(upcoming.map(({ id }) => id));
  await incrementVersions(
    database,
    artistId,
    movedIds.filter((id) => !raised.has(id)),
  );
  return upcoming.flatMap(({ id, status }) => (status === 'confirmed' ? [id] : []));
}

/** An earlier change whose mails were dropped before they were sent. */
interface UnsentChange {
  /** The studio that its clients know. */
  readonly studioKnown: StudioBefore;
  /** The mails, by the ids of their appointments. */
  readonly notices: ReadonlyMap<string, AppointmentMailData>;
  readonly mailIds: readonly string[];
}

/**
 * Drops the mails of an earlier change that still wait for its undo: a newer change makes them untrue.
 * @returns that change; null without such mails
 */
async function dropUnsentMails(
  database: Database,
  artistId: string,
  now: Instant,
): Promise<UnsentChange | null> {
  const earlier = await studioChanges.findStudioChange(database, artistId);
  const waits = earlier && !earlier.isUndone && earlier.undoUntil > now;
  if (!waits || earlier.mailIds.length === 0) return null;
  const queued = await listQueuedNotices(database, artistId, earlier.mailIds);
  const mailIds = queued.map(({ id }) => id);
  await dropMails(database, mailIds);
  const notices = queued.flatMap(({ notice }) =>
    'appointment' in notice ? [[notice.appointment.id, notice] as const] : [],
  );
  return { studioKnown: earlier.studioKnown, notices: new Map(notices), mailIds };
}

type ToldChange = NonNullable<AppointmentSnapshot['studioChange']>;

interface StudioMails {
  /** The appointments whose clients are mailed. */
  readonly mailedIds: readonly string[];
  readonly moved: readonly MovedTime[];
  readonly studioChange: ToldChange;
  readonly undoUntil: Instant;
  readonly unsent: UnsentChange | null;
}

/**
 * Stores mails to the clients, which wait until the change can no longer be undone. They also report
 * an earlier change whose mails they replace.
 */
async function enqueueStudioMails(
  context: Pick<Context, 'jobs'>,
  database: Database,
  artistId: string,
  { mailedIds, moved, studioChange, undoUntil, unsent }: StudioMails,
): Promise<string[]> {
  const timeBefore = new Map(moved.map((time) => [time.appointmentId, time.before]));
  const rows = await listAppointmentsOfArtist(database, artistId, mailedIds);
  const mails = rows.flatMap((row) => {
    if (row.email === null) return [];
    const snapshot = toAppointmentSnapshot(row, { wasBooked: true });
    const earlier = unsent?.notices.get(row.id)?.appointment;
    const before = timeBefore.get(row.id);
    const known = earlier?.movedFrom ?? before?.start ?? null;
    const movedFrom = known === snapshot.time?.start ? null : known;
    const own = before ? changeOfTime(studioChange, before, snapshot) : studioChange;
    const change =
      unsent && earlier
        ? joinChanges(unsent.studioKnown, { ...snapshot, movedFrom }, [
            earlier.studioChange,
            before && own,
          ])
        : own;
    // The studio is as the client knows it.
    if (change === null && movedFrom === null) return [];
    const appointment = { ...snapshot, movedFrom, ...(change && { studioChange: change }) };
    const notice = { kind: 'moved', appointment } as const;
    return [{ notice, address: row.email, artistId: row.artist_id, waitsUntil: undoUntil }];
  });
  return enqueueMails(context, database, mails);
}

/** With what was agreed, for a change of the studio that may have moved the appointment. */
function changeOfTime(
  change: ToldChange,
  { start, agreed }: CalendarTime,
  after: Pick<AppointmentSnapshot, 'studio' | 'time'>,
): ToldChange {
  const { local } = agreed ?? agreedTimeAt(change.zoneBefore, start);
  const kept = change.kept === 'clock_times' ? keptClockTime(after, local) : null;
  return { ...change, ...(agreed && { agreed: agreed.local }), ...(kept && { kept }) };
}

/** How an appointment keeps a time on the clock; null if it does not. */
function keptClockTime(
  { studio: { time_zone: zone }, time }: Pick<AppointmentSnapshot, 'studio' | 'time'>,
  local: string,
): 'clock_times' | 'next_time' | null {
  if (time === null) return null;
  if (agreedTimeAt(zone, time.start).local === local) return 'clock_times';
  return startOfAgreedTime(zone, local) === time.start ? 'next_time' : null;
}

/**
 * The change since what the client knows: the studio and the clock time before an earlier change.
 * @param after the appointment after both changes
 * @param changes those of the appointment, the earlier first
 * @returns null if both together only move the appointment, or change nothing
 */
function joinChanges(
  studioKnown: StudioBefore,
  after: Pick<AppointmentSnapshot, 'studio' | 'time' | 'movedFrom'>,
  changes: readonly (ToldChange | undefined)[],
): ToldChange | null {
  const { studio, movedFrom } = after;
  const { time_zone: zoneBefore } = studioKnown;
  const change = compareStudios(studioKnown, studio);
  const hasNewRules = changes.some((one) => one?.hasNewRules);
  const fromKnown = changes.filter((one) => one && isSameZone(one.zoneBefore, zoneBefore));
  const agreed = fromKnown.find((one) => one?.agreed !== undefined)?.agreed;
  const told = { ...change, hasNewRules, zoneBefore, ...(agreed !== undefined && { agreed }) };
  const isAboutTime = change.hasNewZone || hasNewRules;
  if (movedFrom === null)
    return isAboutTime || change.hasNewAddress ? { ...told, kept: 'moments' } : null;
  const local = agreed ?? agreedTimeAt(zoneBefore, movedFrom).local;
  const kept = keptClockTime(after, local);
  return isAboutTime && kept ? { ...told, kept } : null;
}

function appointmentIdsOf(times: readonly MovedTime[]): string[] {
  return [...new Set(times.map(({ appointmentId }) => appointmentId))];
}
