/** An artist's last change of the studio's address, zone or agreed times. */
import type { MovedTime, StudioBefore, StudioChangeKind } from '#domain/studio/studio_change.ts';
import type { Instant } from '#domain/time/time.ts';
import { canonicalZone } from '#domain/time/zone_data.ts';
import type { Database } from './connect.ts';

export interface StudioChangeRecord {
  readonly kind: StudioChangeKind;
  readonly undoUntil: Instant;
  readonly before: StudioBefore;
  readonly moved: readonly MovedTime[];
  readonly mailIds: readonly string[];
  /** Mails of the previous change that still waited, because it could be undone: this change dropped them. */
  readonly replacedMailIds: readonly string[];
  /** The studio that clients know: as it was before the first change whose mails still wait. */
  readonly studioKnown: StudioBefore;
}

/** Stores a change that can be undone, in place of the artist's earlier one. */
export async function replaceStudioChange(
  database: Database,
  artistId: string,
  { kind, undoUntil, before, moved, mailIds, replacedMailIds, studioKnown }: StudioChangeRecord,
): Promise<void> {
  const values = {
    answer_undo_until: kind === 'time_changes' ? new Date(undoUntil) : null,
    undo_until: new Date(undoUntil),
    undone_at: null,
    studio_before: JSON.stringify(before),
    moved_times: JSON.stringify(moved),
    mail_ids: [...mailIds],
    replaced_mail_ids: [...replacedMailIds],
    studio_known: JSON.stringify(studioKnown),
  };
  await database
    .insertInto('studio_changes')
    .values({ artist_id: artistId, ...values })
    .onConflict((conflict) => conflict.column('artist_id').doUpdateSet(values))
    .execute();
}

/** Finds the artist's last change, undone or not; undefined for none. */
export async function findStudioChange(
  database: Database,
  artistId: string,
): Promise<(StudioChangeRecord & { readonly isUndone: boolean }) | undefined> {
  const row = await database
    .selectFrom('studio_changes')
    .select(['answer_undo_until', 'undo_until', 'undone_at', 'studio_before', 'studio_known'])
    .select(['moved_times', 'mail_ids', 'replaced_mail_ids'])
    .where('artist_id', '=', artistId)
    .executeTakeFirst();
  if (!row) return undefined;
  const before = withZoneName(row.studio_before);
  const renamedZone = { from: row.studio_before.time_zone, to: before.time_zone };
  // An older server that stores a change of the studio leaves an earlier `answer_undo_until` in the row.
  // Only an equal one belongs to this change.
  const isAnswer = row.answer_undo_until?.getTime() === row.undo_until.getTime();
  return {
    kind: isAnswer ? 'time_changes' : 'studio',
    undoUntil: row.undo_until.getTime(),
    isUndone: row.undone_at !== null,
    before,
    moved: row.moved_times.map((time) => withAgreedZone(time, renamedZone)),
    mailIds: row.mail_ids,
    replacedMailIds: row.replaced_mail_ids,
    studioKnown: withZoneName(row.studio_known),
  };
}

/** With today's name of the zone: since the change, a newer server may have renamed the stored zones. */
function withZoneName(studio: StudioBefore): StudioBefore {
  const { time_zone: zone } = studio;
  return { ...studio, time_zone: canonicalZone(zone) ?? zone };
}

/** With today's name of the zone in the agreed time. */
function withAgreedZone(
  moved: MovedTime,
  { from, to }: { readonly from: string; readonly to: string },
): MovedTime {
  const { agreed } = moved.before;
  if (agreed?.zone !== from) return moved;
  return { ...moved, before: { ...moved.before, agreed: { ...agreed, zone: to } } };
}

export async function markStudioChangeUndone(
  database: Database,
  artistId: string,
  now: Instant,
): Promise<void> {
  await database
    .updateTable('studio_changes')
    .set({ undone_at: new Date(now) })
    .where('artist_id', '=', artistId)
    .execute();
}
