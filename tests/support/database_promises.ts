/** What is true of the rows of a database, whatever calls and faults there were before. */
import { queryDatabase } from './sandbox.ts';

/** For each promise, the rows that break it. */
const BROKEN: Readonly<Record<string, string>> = {
  'two times of one artist that occupy the calendar do not overlap': `
    SELECT one.id FROM appointment_times one JOIN appointment_times other
      ON other.artist_id = one.artist_id AND other.id <> one.id AND other.blocked && one.blocked
    WHERE one.occupies AND other.occupies`,
  'an appointment that is booked occupies one time, and an offer at least one': `
    SELECT a.id FROM appointments a
    LEFT JOIN appointment_times t ON t.appointment_id = a.id AND t.occupies
    WHERE a.status IN ('confirmed', 'offered')
    GROUP BY a.id HAVING count(t.id) = 0 OR (a.status = 'confirmed' AND count(t.id) > 1)`,
  'a time that occupies the calendar belongs to an appointment that is held, offered or booked': `
    SELECT t.id FROM appointment_times t JOIN appointments a ON a.id = t.appointment_id
    WHERE t.occupies AND a.status NOT IN ('held', 'offered', 'confirmed', 'completed', 'no_show')`,
  'an appointment and its times belong to one artist': `
    SELECT t.id FROM appointment_times t JOIN appointments a ON a.id = t.appointment_id
    WHERE t.artist_id <> a.artist_id`,
  'an appointment belongs to the artist of its client, service and design': `
    SELECT a.id FROM appointments a JOIN clients c ON c.id = a.client_id
    LEFT JOIN services s ON s.id = a.service_id LEFT JOIN designs d ON d.id = a.design_id
    WHERE a.artist_id <> c.artist_id OR a.artist_id <> s.artist_id OR a.artist_id <> d.artist_id`,
  'an appointment has a history that ends in its status': `
    SELECT a.id FROM appointments a
    LEFT JOIN LATERAL (
      SELECT to_status FROM appointment_events e WHERE e.appointment_id = a.id
      ORDER BY id DESC LIMIT 1) last ON true
    WHERE last.to_status IS DISTINCT FROM a.status`,
  'a design, an avatar and a merge belong to the artist of their picture and clients': `
    SELECT d.id FROM designs d JOIN images i ON i.id = d.image_id WHERE i.artist_id <> d.artist_id
    UNION ALL
    SELECT a.id FROM artists a JOIN images i ON i.id = a.avatar_id WHERE i.artist_id <> a.id
    UNION ALL
    SELECT m.id FROM client_merges m JOIN clients c ON c.id IN (m.client_id, m.merged_id)
    WHERE c.artist_id <> m.artist_id
    UNION ALL
    SELECT r.id FROM data_requests r JOIN clients c ON c.id = r.client_id
    WHERE c.artist_id <> r.artist_id`,
  'a client is merged into a client of the same artist who is not merged': `
    SELECT c.id FROM clients c JOIN clients kept ON kept.id = c.merged_into
    WHERE kept.artist_id <> c.artist_id OR kept.merged_into IS NOT NULL`,
  'every studio belongs to an artist or an appointment': `
    SELECT p.id FROM studios p WHERE NOT EXISTS (SELECT FROM artists a WHERE a.studio_id = p.id)
      AND NOT EXISTS (SELECT FROM appointments a WHERE a.studio_id = p.id)
      AND NOT EXISTS (SELECT FROM appointment_times t WHERE t.studio_id = p.id)`,
  'a picture belongs to a design, a portfolio or an artist': `
    SELECT i.id FROM images i WHERE i.kind <> 'portfolio'
      AND NOT EXISTS (SELECT FROM designs d WHERE d.image_id = i.id)
      AND NOT EXISTS (SELECT FROM artists a WHERE a.avatar_id = i.id)`,
  'an idempotency key made one appointment of an artist': `
    SELECT min(id::text) FROM appointments WHERE idempotency_key IS NOT NULL
    GROUP BY artist_id, idempotency_key HAVING count(*) > 1`,
  'a booking has one mail of each kind to each reader, for each version': `
    SELECT min(id::text) FROM mails
    WHERE notice ? 'appointment' AND NOT is_resent
      AND notice->>'kind' IN ('new_booking', 'new_request', 'booked')
    GROUP BY thread, notice->>'kind', notice #>> '{appointment,version}' HAVING count(*) > 1`,
};

/** The promises that the rows break, each with how many rows do. */
export async function findBrokenPromises(databaseUrl: string): Promise<string[]> {
  const found: string[] = [];
  for (const [promise, statement] of Object.entries(BROKEN)) {
    const rows = await queryDatabase(databaseUrl, statement);
    if (rows.length > 0) found.push(`${promise}: ${rows.length} rows, such as ${rows[0]?.[0]}`);
  }
  return found;
}
