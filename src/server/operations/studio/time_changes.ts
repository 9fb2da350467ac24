/** Appointments that clocks no longer show as agreed, because the rules of their zone have changed. */
import { type ListPage, PageQuery } from '#contract/common.ts';
import type { TimeChange, TimeChangesAnswer } from '#contract/time_changes.ts';
import { filterChangedTimes } from '#domain/studio/studio_change.ts';
import type { Instant } from '#domain/time/time.ts';
import { listTimesAhead } from '#server/database/appointment_times.ts';
import { listAppointmentsOfArtist } from '#server/database/appointments.ts';
import { toAppointment } from '../appointments/to_appointment.ts';
import { calendarScope, change } from '../change.ts';
import type { Context } from '../context.ts';
import { applyTimeChanges, undoStudioChanges } from './studio_move.ts';

/** The artist's appointments ahead whose agreed clock times no longer fit, the soonest first. */
export async function listTimeChanges(
  { database, images }: Pick<Context, 'database' | 'images'>,
  artistId: string,
  { skip, limit }: PageQuery,
  now: Instant,
): Promise<ListPage<TimeChange>> {
  const changes = filterChangedTimes(await listTimesAhead(database, artistId, now));
  const page = changes.slice(skip, skip + limit);
  const ids = page.map(({ appointmentId }) => appointmentId);
  const rows = await listAppointmentsOfArtist(database, artistId, ids);
  const rowById = new Map(rows.map((row) => [row.id, row]));
  const data = page.flatMap(({ appointmentId, time: { agreed } }): TimeChange[] => {
    const row = rowById.get(appointmentId);
    if (!row || !agreed) return [];
    return [{ ...toAppointment(images, row, now), agreed: { local: agreed.local } }];
  });
  return { data, count: changes.length };
}

/**
 * Keeps the agreed clock times of appointments that `listTimeChanges` lists, or their instants.
 * @returns the first page of the remaining ones
 */
export async function answerTimeChanges(
  context: Context,
  artistId: string,
  answer: TimeChangesAnswer,
): Promise<ListPage<TimeChange>> {
  const now = await change(context, calendarScope(artistId), async (context, now) => {
    await applyTimeChanges(context, artistId, answer, now);
    return now;
  });
  return listTimeChanges(context, artistId, PageQuery.parse({}), now);
}

/** Undoes the artist's last answer, shortly after it. */
export async function undoTimeChanges(context: Context, artistId: string): Promise<void> {
  await change(context, calendarScope(artistId), (context, now) =>
    undoStudioChanges(context, artistId, 'time_changes', now),
  );
}
