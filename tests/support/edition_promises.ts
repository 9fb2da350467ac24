import { expect } from 'vitest';

/**
 * The designs with more projects that use up an edition than they have editions, with both numbers. Stated
 * a second time, apart from the statements of the program. Deadlines are judged by the database's clock.
 */
const OVERSOLD_DESIGNS = `
  SELECT designs.name, editions, count(DISTINCT coalesce(project_id, appointments.id))::int AS used
  FROM designs
  JOIN appointments ON appointments.design_id = designs.id
  WHERE editions IS NOT NULL AND (
    keeps_edition
    OR appointments.status = ANY ('{confirmed,completed,no_show}')
    OR appointments.status = ANY ('{held,offered}') AND EXISTS (
      SELECT FROM appointment_times WHERE appointment_id = appointments.id AND occupies
        AND (expires_at IS NULL OR expires_at > now())))
  GROUP BY designs.id, designs.name, editions
  HAVING count(DISTINCT coalesce(project_id, appointments.id)) > editions`;

/** No design is tattooed more often than the artist allows. */
export async function expectNoOversoldDesign(
  query: (statement: string) => Promise<readonly unknown[]>,
): Promise<void> {
  expect(await query(OVERSOLD_DESIGNS)).toEqual([]);
}
