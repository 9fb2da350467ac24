/** Which appointments use up an edition of their design: the rule of `usesEdition` in the domain, in SQL. */
import { type Expression, sql } from 'kysely';
import type { LimitedEditions } from '#domain/booking/booking_limits.ts';
import { requireFound } from '#domain/refusal.ts';
import type { Instant } from '#domain/time/time.ts';
import { isOfNetwork } from './booking_limits.ts';
import type { Database } from './connect.ts';
import { epochMs } from './epoch_ms.ts';

/** How many projects use up an edition of a design, and when the first deadline of those passes. */
interface EditionUseRow {
  readonly used: number;
  readonly frees_at: Instant | null;
}

/**
 * FROM and WHERE of the appointments that use up an edition of the design of the surrounding statement.
 * @param now an SQL expression
 */
function usesAt(now: Expression<unknown>) {
  return sql`
    FROM appointments AS uses
    LEFT JOIN appointment_times AS times ON times.appointment_id = uses.id
    WHERE uses.design_id = designs.id AND (
      uses.keeps_edition OR uses.status IN ('confirmed', 'completed', 'no_show')
      OR (uses.status IN ('held', 'offered') AND times.occupies
        AND coalesce(times.expires_at > ${now}, true)))`;
}

const USES = usesAt(sql`clock_timestamp()`);

/** For a statement that selects designs: how many projects use up an edition now. */
export const USED_EDITIONS = sql<number>`(
  SELECT count(DISTINCT coalesce(uses.project_id, uses.id)) ${USES})`;

/**
 * For a statement that selects designs: the use of each design with a limit, as of the clock of the
 * database; null without a limit.
 */
export const EDITION_USE = sql<EditionUseRow | null>`
  CASE WHEN designs.editions IS NOT NULL THEN (
    SELECT json_build_object(
      'used', count(DISTINCT coalesce(uses.project_id, uses.id)),
      'frees_at', ${epochMs(sql`min(times.expires_at)`)})
    ${USES}
  ) END`.as('edition_use');

/**
 * The appointment that wants a design, or whose next session wants it: neither it nor its project counts. Null for a
 * new appointment.
 */
export type WantingAppointment = {
  readonly id: string | null;
  readonly project_id: string | null;
} | null;

/** For a statement that selects designs: how many other projects use up an edition at `now`. */
export function countUses(now: Instant, wanting: WantingAppointment) {
  return sql<number>`(
    SELECT count(DISTINCT coalesce(uses.project_id, uses.id))::integer
    ${usesAt(sql`${new Date(now)}::timestamptz`)}
      AND uses.id IS DISTINCT FROM ${wanting?.id ?? null}
      AND (uses.project_id IS NULL OR uses.project_id IS DISTINCT FROM ${wanting?.project_id ?? null})
  )`;
}

/** Counts the other projects that use up an edition of a design at `now`. */
export async function countUsedEditions(
  database: Database,
  designId: string,
  now: Instant,
  wanting: WantingAppointment,
): Promise<number> {
  const row = await database
    .selectFrom('designs')
    .select(countUses(now, wanting).as('used'))
    .where('id', '=', designId)
    .executeTakeFirst();
  return row?.used ?? 0;
}

/** How many limited editions of an artist requests of a network use up, and how many clients can book. */
export async function countLimitedEditions(
  database: Database,
  artistId: string,
  network: string,
): Promise<LimitedEditions> {
  const { rows } = await sql<LimitedEditions>`
    SELECT
      coalesce(sum((
        SELECT count(*) ${USES} AND ${isOfNetwork(sql.ref('uses.network'), network)} AND uses.counts_for_limits
      )), 0)::integer AS "ofNetwork",
      coalesce(sum(greatest(0, designs.editions - ${USED_EDITIONS}))
        FILTER (WHERE designs.status = 'available'), 0)::integer AS "left"
    FROM designs
    WHERE designs.artist_id = ${artistId} AND designs.editions IS NOT NULL
      AND designs.deleted_at IS NULL
  `.execute(database);
  return requireFound(rows[0]);
}

/** The use of all of an artist's designs with a limit. */
export function listEditionUses(database: Database, artistId: string) {
  return database
    .selectFrom('designs')
    .select(EDITION_USE)
    .where('artist_id', '=', artistId)
    .where('deleted_at', 'is', null)
    .where('editions', 'is not', null)
    .execute();
}
