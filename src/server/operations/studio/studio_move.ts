/** Changes of a studio's address, zone or agreed times, with the appointments that they move, and their undo. */
import type { ArtistChanges } from '#contract/artist.ts';
import type { TimeChangesAnswer } from '#contract/time_changes.ts';
import { isConfirmed } from '#domain/appointments/appointment.ts';
import { editionsLeft } from '#domain/booking/editions.ts';
import { MAILED_UNDO_MS } from '#domain/mail/mail.ts';
import { type MailedChange, studioChangeMail } from '#domain/mail/studio_mail.ts';
import { Refusal, type RefusalReason, refuse, requireFound } from '#domain/refusal.ts';
import {
  answerTimeChange,
  type CalendarTime,
  compareStudios,
  filterChangedTimes,
  findOverlap,
  isAnswered,
  type MovedTime,
  reserves,
  type StudioBefore,
  type StudioChangeKind,
  timeInNewZone,
  undoneTime,
} from '#domain/studio/studio_change.ts';
import { formatShortDateAndTime } from '#domain/time/format_time.ts';
import type { Instant } from '#domain/time/time.ts';
import type { Zone } from '#domain/time/zone_offsets.ts';
import { fillAgreedTimes } from '#server/database/agreed_times.ts';
import { insertAppointmentEvents } from '#server/database/appointment_events.ts';
import * as appointmentTimes from '#server/database/appointment_times.ts';
import { raiseVersions } from '#server/database/appointment_updates.ts';
import { type AppointmentRow, listAppointmentsOfArtist } from '#server/database/appointments.ts';
import { updateStudio } from '#server/database/artists.ts';
import type { Transaction } from '#server/database/connect.ts';
import { countUsedEditions } from '#server/database/editions.ts';
import {
  dropMails,
  listMailedAppointments,
  listQueuedNotices,
  requeueMails,
} from '#server/database/mails.ts';
import * as studioChanges from '#server/database/studio_changes.ts';
import { findStudio, moveStudio } from '#server/database/studio_moves.ts';
import { expireHolds } from '../appointments/expire_holds.ts';
import { refusingOverlap } from '../change.ts';
import type { Context, InChange } from '../context.ts';
import { enqueueMails, notify, toAppointmentSnapshot, toFullName } from '../mail/notify.ts';
import { enqueueMissedReminders } from '../mail/reminders.ts';

/**
 * Changes the data of the artist's studio. When its address or time zone changes, past appointments
 * keep the old data. Upcoming appointments show the new data, in calendars too, and keep their
 * instants or, after `keep: 'clock_times'`, their wall-clock times. Clients with a confirmed one are
 * mailed only after `tell_clients`, once the change can no longer be undone.
 * @param context of a change that locks the calendar
 * @throws Refusal `clock_times_overlap`
 */
export async function applyStudioChanges(
  context: InChange<Context>,
  artistId: string,
  {
    studio = {},
    tell_clients: mailsClients = false,
    keep = 'moments',
  }: Pick<ArtistChanges, 'studio' | 'tell_clients' | 'keep'>,
  now: Instant,
): Promise<void> {
  const { database } = context;
  const oldStudio = await findStudio(database, artistId);
  if (!oldStudio) return;
  const difference = compareStudios(oldStudio, studio);
  const { hasNewAddress, hasNewZone } = difference;
  // Another name of the same zone is not stored: only `renameZones` keeps the agreed times known then.
  const { time_zone, ...others } = studio;
  const changes: typeof studio = hasNewZone ? studio : others;
  if (!hasNewAddress && !hasNewZone) return updateStudio(database, artistId, changes);
  const from = oldStudio.time_zone;
  const zone = changes.time_zone ?? from;
  const movable = hasNewZone
    ? await appointmentTimes.listMovableTimes(database, artistId, now)
    : [];
  const times = movable.map((stored) => {
    return { ...stored, after: timeInNewZone(stored.time, { keep, from, to: zone }, now) };
  });
  const move = { times, event: 'zone_changed', zone } as const;
  const moved = await moveTimes(context, artistId, move, now);
  // Past appointments keep the old studio: the artist then gets a copy of it, which is changed here.
  await moveStudio(database, artistId, oldStudio, { now, movedIds: appointmentIdsOf(moved) });
  await updateStudio(database, artistId, changes);
  await fillAgreedTimes(database, artistId, now);
  const { id, name, ...location } = oldStudio;
  // Undoing keeps a name that was changed on its own since.
  const before = changes.name === undefined ? location : { name, ...location };
  const studioChange = { ...difference, kept: keep, zoneBefore: from };
  const applied = { kind: 'studio', before, moved, studioChange, mailsClients } as const;
  await mailAndStoreChange(context, artistId, applied, now);
}

/**
 * Gives appointments whose zone has new rules their agreed clock times back, or leaves their instants, as
 * the artist answers. Appointments that clocks show as agreed, or whose agreed time has passed, stay.
 * Mails, Undo and the lock are those of `applyStudioChanges`.
 * @throws Refusal `not_found`, `stale_version`, `clock_times_overlap`
 */
export async function applyTimeChanges(
  context: InChange<Context>,
  artistId: string,
  answer: TimeChangesAnswer,
  now: Instant,
): Promise<void> {
  const { database } = context;
  const { keep, tell_clients: mailsClients } = answer;
  const versions = new Map(answer.ids.map(({ id, version }) => [id, version]));
  const rows = await listAppointmentsOfArtist(database, artistId, [...versions.keys()]);
  if (rows.length < versions.size) throw refuse('not_found');
  const ahead = await appointmentTimes.listTimesAhead(database, artistId, now);
  const times = ahead.filter(({ appointmentId }) => versions.has(appointmentId));
  const staleRows = rows.filter(({ id, version }) => version !== versions.get(id));
  const changed = filterChangedTimes(times);
  if (changed.length === 0)
    return requireAnswered(database, artistId, { ...answer, staleRows, times }, now);
  // An answer is applied as a whole or not at all, because its Undo takes back the whole.
  if (staleRows.length > 0) throw refuse('stale_version');
  const { id, name, ...before } = requireFound(await findStudio(database, artistId));
  const zone = before.time_zone;
  const answered = changed.map((stored) => {
    return { ...stored, after: answerTimeChange(stored.time, keep, now) };
  });
  const move = { times: answered, event: 'rules_changed', zone } as const;
  const moved = await moveTimes(context, artistId, move, now);
  if (moved.length === 0) return;
  const difference = { hasNewAddress: false, hasNewZone: false, hasNewRules: true };
  const studioChange = { ...difference, kept: keep, zoneBefore: zone };
  const applied = { kind: 'time_changes', before, moved, studioChange, mailsClients } as const;
  await mailAndStoreChange(context, artistId, applied, now);
}

interface RepeatedAnswer extends TimeChangesAnswer {
  /** The appointments of which the artist saw another version. */
  readonly staleRows: readonly AppointmentRow[];
  /** The present times of all appointments in the answer. */
  readonly times: readonly appointmentTimes.StoredTime[];
}

/**
 * Accepts older versions only when the artist sends the same answer again: its result must stand, and its
 * mails must be stored.
 * @throws Refusal `stale_version`
 */
async function requireAnswered(
  transaction: Transaction,
  artistId: string,
  { keep, tell_clients: mailsClients, staleRows, times }: RepeatedAnswer,
  now: Instant,
): Promise<void> {
  if (staleRows.length === 0) return;
  const last = await studioChanges.findStudioChange(transaction, artistId);
  const applied = last?.kind === 'time_changes' && !last.isUndone ? last : null;
  const moveById = new Map(applied?.moved.map((move) => [move.appointmentId, move]));
  const current = new Map(times.map(({ appointmentId, time }) => [appointmentId, time]));
  const mailed = await listMailedAppointments(
    transaction,
    mailsClients ? (applied?.mailIds ?? []) : [],
  );
  for (const { id, status, email } of staleRows) {
    const before = moveById.get(id)?.before;
    const time = current.get(id);
    const stands = before && time && isAnswered(time, before, keep, now);
    const needsMail = mailsClients && status === 'confirmed' && email && !mailed.has(id);
    if (!stands || needsMail) throw refuse('stale_version');
  }
}

interface AppliedChange
  extends Pick<studioChanges.StudioChangeRecord, 'kind' | 'before' | 'moved'> {
  readonly studioChange: MailedChange;
  readonly mailsClients: boolean;
}

/**
 * Queues the mails about a change, which wait for its undo, and stores the facts for the undo. Without
 * `mailsClients`, only clients whose mail about an earlier change was dropped get one.
 */
async function mailAndStoreChange(
  context: InChange<Context>,
  artistId: string,
  { studioChange, mailsClients, ...change }: AppliedChange,
  now: Instant,
): Promise<void> {
  const { database } = context;
  const { kind, before, moved } = change;
  const dropped = await dropUnsentMails(database, artistId, before, now);
  const { unmailed, studioKnown, replacedMailIds } = dropped;
  const movedIds = appointmentIdsOf(moved);
  const onlyIds = kind === 'studio' ? null : [...movedIds, ...unmailed.keys()];
  const upcomingIds = await raiseVersions(database, artistId, { movedIds, onlyIds }, now);
  const mailedIds = upcomingIds.filter((id) => mailsClients || unmailed.has(id));
  const rows = await listAppointmentsOfArtist(database, artistId, mailedIds);
  const timeBefore = new Map(moved.map((time) => [time.appointmentId, time.before]));
  const notices = rows.flatMap((row) => {
    const notice = studioChangeMail(toAppointmentSnapshot(row, { wasBooked: true }), {
      studioChange,
      before: timeBefore.get(row.id),
      earlier: unmailed.get(row.id),
      studioKnown,
    });
    return notice ?? [];
  });
  const undoUntil = now + MAILED_UNDO_MS;
  const mailIds = await notify(context, { notices, waitsUntil: undoUntil });
  if (!mailsClients)
    await enqueueMissedReminders(context, artistId, movesOf(moved, upcomingIds), now);
  const record = { ...change, studioKnown, replacedMailIds, undoUntil, mailIds };
  await studioChanges.replaceStudioChange(database, artistId, record);
}

/**
 * Drops the mails of an earlier change that still wait for its undo: a newer change makes them untrue.
 * @param before the studio before the newer change, which clients know if no mail waits
 * @returns `unmailed`, by id, the appointments in these mails
 */
async function dropUnsentMails(
  transaction: Transaction,
  artistId: string,
  before: StudioBefore,
  now: Instant,
) {
  const earlier = await studioChanges.findStudioChange(transaction, artistId);
  const canBeUndone = earlier && !earlier.isUndone && earlier.undoUntil > now;
  const waiting = canBeUndone && earlier.mailIds.length > 0 ? earlier : null;
  const mails = waiting ? await listQueuedNotices(transaction, artistId, waiting.mailIds) : [];
  const replacedMailIds = mails.map(({ id }) => id);
  await dropMails(transaction, replacedMailIds);
  const unmailed = mails.flatMap(({ notice }) =>
    'appointment' in notice ? notice.appointment : [],
  );
  return {
    studioKnown: waiting?.studioKnown ?? before,
    unmailed: new Map(unmailed.map((appointment) => [appointment.id, appointment])),
    replacedMailIds,
  };
}

/**
 * Undoes the artist's last change, if it is of this kind: the studio's data, the times of appointments with the agreed
 * clock times, and the mails that wait. Mails about the earlier change, which it replaced, are queued again. Times that
 * were set, confirmed or cancelled since stay as they are. Undoing twice changes nothing.
 * @throws Refusal `undo_too_late`, `undo_time_taken`
 */
export async function undoStudioChanges(
  context: InChange<Context>,
  artistId: string,
  kind: StudioChangeKind,
  now: Instant,
): Promise<void> {
  const { database } = context;
  const latest = await studioChanges.findStudioChange(database, artistId);
  if (latest?.kind !== kind) throw refuse('undo_too_late');
  if (latest.isUndone) return;
  if (latest.undoUntil <= now) throw refuse('undo_too_late');
  await studioChanges.markStudioChangeUndone(database, artistId, now);
  await dropMails(database, latest.mailIds);
  await updateStudio(database, artistId, latest.before);
  const movedById = new Map(latest.moved.map((time) => [time.id, time]));
  const stored = await appointmentTimes.listTimes(database, artistId, [...movedById.keys()]);
  const times = stored.map((current) => {
    const moved = movedById.get(current.id);
    const after = moved ? undoneTime(moved, current.time, current.status) : null;
    return { ...current, after, shortened: moved?.shortened };
  });
  // These buffers got their length back when the times after them moved.
  for (const { after, shortened } of times)
    if (after?.isReserved && shortened)
      await appointmentTimes.shortenBuffers(database, artistId, [shortened], after.start);
  const move = { times, event: 'change_undone', zone: latest.before.time_zone } as const;
  const restored = await moveTimes(context, artistId, move, now);
  await releaseTakenEditions(database, artistId, restored, now);
  // The times after these buffers may have been cancelled or released since.
  await appointmentTimes.lengthenBuffers(database, artistId, latest.moved);
  await fillAgreedTimes(database, artistId, now);
  const movedIds = appointmentIdsOf(restored);
  const onlyIds = kind === 'studio' ? null : movedIds;
  const upcomingIds = await raiseVersions(database, artistId, { movedIds, onlyIds }, now);
  await enqueueMissedReminders(context, artistId, movesOf(restored, upcomingIds), now);
  const requeued = await requeueMails(database, artistId, latest.replacedMailIds, 'dropped');
  await enqueueMails(context, requeued);
}

/** The moves of these appointments. */
function movesOf(moved: readonly MovedTime[], appointmentIds: readonly string[]): MovedTime[] {
  const ids = new Set(appointmentIds);
  return moved.filter(({ appointmentId }) => ids.has(appointmentId));
}

/**
 * Releases the times of restored holds and offers whose design has no edition left: others have used up all
 * since the change ended them. Such a client can confirm once an edition is left again.
 */
async function releaseTakenEditions(
  transaction: Transaction,
  artistId: string,
  restored: readonly MovedTime[],
  now: Instant,
): Promise<void> {
  const revived = restored.filter(
    ({ before, after }) => !reserves(before, now) && reserves(after, now),
  );
  const rows = await listAppointmentsOfArtist(transaction, artistId, appointmentIdsOf(revived));
  const rowById = new Map(rows.map((row) => [row.id, row]));
  // One after the other: each that is released leaves its edition to the next.
  for (const { id, appointmentId } of revived) {
    const row = rowById.get(appointmentId);
    if (!row || row.design_id === null || row.editions === null || isConfirmed(row.status))
      continue;
    const except = { id: appointmentId, project_id: row.project_id };
    const used = await countUsedEditions(transaction, row.design_id, now, except);
    if (editionsLeft(row.editions, used) === 0)
      await appointmentTimes.releaseTimes(transaction, artistId, [id]);
  }
}

interface Move {
  /** With `after`, the new time; null for a time that stays. */
  readonly times: readonly (appointmentTimes.StoredTime & {
    readonly after: CalendarTime | null;
  })[];
  /** In the histories of the appointments. */
  readonly event: 'zone_changed' | 'rules_changed' | 'change_undone';
  /** The studio's zone after the change. */
  readonly zone: Zone;
}

/**
 * Moves times together: one may take the place that another leaves.
 * @returns the times that changed, or whose agreed time did, each with its appointment, before and after
 */
async function moveTimes(
  context: InChange<Context>,
  artistId: string,
  { times, event, zone }: Move,
  now: Instant,
): Promise<MovedTime[]> {
  const { database } = context;
  const moves = times.flatMap(({ time: before, after, ...stored }) =>
    after === null ? [] : [{ ...stored, before, after }],
  );
  if (moves.length === 0) return [];
  const ids = moves.map(({ id }) => id);
  // Other holds and offers past their deadline reserve nothing any more. They expire first: a buffer before them
  // must not grow into the place of a time that stays at its instant.
  await expireHolds(context, artistId, { exceptTimes: ids }, now);
  const released = await appointmentTimes.releaseTimes(database, artistId, ids);
  const refusal = event === 'change_undone' ? 'undo_time_taken' : 'clock_times_overlap';
  await refuseOverlap(database, artistId, moves, { refusal, zone });
  const newTimes = moves.map(({ id, after }) => ({ id, time: after }));
  await refusingOverlap(refusal, () => appointmentTimes.updateTimes(database, artistId, newTimes));
  await appointmentTimes.lengthenBuffers(database, artistId, released);
  const events = moves.flatMap(({ appointmentId, status, before, after }) => {
    // All appointments get the new zone: one that keeps its instant needs no event in its history.
    const hasOnlyNewZone =
      before.start === after.start && before.agreed?.zone !== after.agreed?.zone;
    if (hasOnlyNewZone) return [];
    const cause = { actor: 'artist', what: event, at: now } as const;
    const starts = { fromStart: before.start, toStart: after.start };
    return { appointmentId, ...cause, fromStatus: status, toStatus: status, ...starts };
  });
  await insertAppointmentEvents(database, events);
  const shortenedBy = new Map(released.map(({ id, shortened }) => [id, shortened]));
  return moves.map(({ status, ...moved }) => {
    return { ...moved, shortened: shortenedBy.get(moved.id) ?? null };
  });
}

/**
 * Names two appointments that would overlap. The database's constraint, which names none, has the last word.
 * @throws Refusal
 */
async function refuseOverlap(
  transaction: Transaction,
  artistId: string,
  moved: readonly MovedTime[],
  { refusal, zone }: { readonly refusal: RefusalReason; readonly zone: Zone },
): Promise<void> {
  const times = moved.map(({ appointmentId, after: time }) => ({ appointmentId, time }));
  const range = {
    start: Math.min(...times.map(({ time }) => time.start)),
    end: Math.max(...times.map(({ time }) => time.blockedUntil)),
  };
  const others = await appointmentTimes.listReservedTimes(transaction, artistId, range);
  const overlap = findOverlap([...others, ...times]);
  if (!overlap) return;
  const ids = overlap.map(({ appointmentId }) => appointmentId);
  const rows = await listAppointmentsOfArtist(transaction, artistId, ids);
  const describe = ({ appointmentId, time }: (typeof overlap)[number]) => {
    const row = rows.find(({ id }) => id === appointmentId);
    const name = (row && (toFullName(row) ?? row.email)) ?? 'A client without a name';
    return `${name} (${formatShortDateAndTime(time.start, zone)})`;
  };
  throw new Refusal(refusal, { overlapping: [describe(overlap[0]), describe(overlap[1])] });
}

function appointmentIdsOf(times: readonly MovedTime[]): string[] {
  return [...new Set(times.map(({ appointmentId }) => appointmentId))];
}
