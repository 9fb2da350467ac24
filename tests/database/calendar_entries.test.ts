import { readFile } from 'node:fs/promises';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { HOUR_MS } from '#domain/time/time.ts';
import { updateArtist } from '#server/database/artists.ts';
import { keepOrganizer } from '#server/database/calendar_entries.ts';
import { finishMails, insertMails } from '#server/database/mails.ts';
import {
  addAppointment,
  addArtist,
  createAppointmentFacts,
  withRollback,
} from '#support/database_rows.ts';
import { openTestApp } from '#support/test_app.ts';

const MIGRATION = 'src/server/database/migrations/0005_calendar_entries.sql';

test('calendar entries of earlier versions keep the organizer of their files, also the address of our mails', async () => {
  const { database } = await openTestApp();
  await withRollback(database, async (transaction) => {
    const artist = await addArtist(transaction, { email_proven_at: new Date() });
    const add = (hours: number, status: 'held' | 'confirmed') =>
      addAppointment(transaction, artist, { status, start: Date.now() + hours * HOUR_MS });
    const mailed = async (hours: number, publicEmail: string | null) => {
      const id = await add(hours, 'confirmed');
      const facts = createAppointmentFacts(artist, id);
      const appointment = { ...facts, artist: { ...facts.artist, publicEmail } };
      const notices = [{ kind: 'booked', appointment }] as const;
      const [mailId = ''] = await insertMails(transaction, { notices });
      await finishMails(transaction, [{ id: mailId, status: 'sent', calendarMethod: 'REQUEST' }]);
      return id;
    };
    const ids = [await mailed(24, 'old@example.com'), await mailed(26, null)];
    ids.push(await add(28, 'confirmed'), await add(30, 'held'));
    const columns = sql`DROP COLUMN client_organizer, DROP COLUMN artist_organizer`;
    await sql`ALTER TABLE appointments ${columns}`.execute(transaction);
    await sql.raw(await readFile(MIGRATION, 'utf8')).execute(transaction);
    const current = `new-${artist.email}`;
    await updateArtist(transaction, artist.id, { email: current });
    const organizers = { current, senderEmail: 'us@example.com' };
    const kept = ids.map((id) => keepOrganizer(transaction, id, 'client', organizers));
    const expected = ['old@example.com', 'us@example.com', artist.email, current];
    expect(await Promise.all(kept)).toEqual(expected);
  });
});
