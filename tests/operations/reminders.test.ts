import { expect, onTestFinished, test } from 'vitest';
import { HOUR_MS } from '#domain/time.ts';
import { finishMail } from '#server/database/mails.ts';
import { lockReminderSweep } from '#server/database/reminders.ts';
import { enqueueMissedReminders } from '#server/operations/reminders.ts';
import { addAppointment, addArtist, NOON } from '#support/database_rows.ts';
import { openTestContext } from '#support/test_context.ts';

const NOW = NOON - 22 * HOUR_MS;

test('a reminder that a move made overdue is queued once, and not again once it is sent', async () => {
  const { context } = await openTestContext();
  const { database } = context;
  const artist = await addArtist(database, { reminder_hours: [24] });
  const appointmentId = await addAppointment(database, artist);
  const forgetSweeps = () => database.deleteFrom('reminder_sweep').execute();
  await forgetSweeps();
  // Other tests may share the database.
  onTestFinished(async () => void (await forgetSweeps()));
  await lockReminderSweep(database, NOW);
  const time = (start: number) => {
    const end = start + HOUR_MS;
    return { start, end, blockedUntil: end, isReserved: true, expiresAt: null };
  };
  const id = appointmentId;
  const moved = [{ id, appointmentId, before: time(NOON + 3 * HOUR_MS), after: time(NOON) }];
  const enqueue = () => enqueueMissedReminders(context, database, artist.id, moved, NOW);
  const listReminders = () =>
    database.selectFrom('mails').select('id').where('appointment_id', '=', appointmentId).execute();
  await enqueue();
  await enqueue();
  const [reminder, another] = await listReminders();
  expect(another).toBeUndefined();
  await finishMail(database, reminder?.id ?? '', { status: 'sent' });
  await enqueue();
  expect(await listReminders()).toHaveLength(1);
});
