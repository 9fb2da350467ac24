import { expect, test } from 'vitest';
import { replaceStudioChange } from '#server/database/studio_changes.ts';
import { findStudioChangeWait, isWaiting } from '#server/operations/mail_wait.ts';
import { addAppointment, addArtist, createAppointmentFacts, NOON } from '#support/database_rows.ts';
import { NEW_YORK } from '#support/sample_people.ts';
import { openTestContext } from '#support/test_context.ts';

const LATER = NOON + 30_000;

test('a mail waits until its time, unless the minutely tasks have woken it since', () => {
  const waits_until = new Date(LATER);
  expect(isWaiting({ waits_until: null, woken_at: null }, NOON)).toBe(false);
  expect(isWaiting({ waits_until, woken_at: null }, NOON)).toBe(true);
  expect(isWaiting({ waits_until, woken_at: null }, LATER)).toBe(false);
  expect(isWaiting({ waits_until, woken_at: new Date(NOON) }, NOON)).toBe(true);
  expect(isWaiting({ waits_until, woken_at: waits_until }, NOON)).toBe(false);
});

test('a mail about an appointment waits for the undo of its artist’s studio change, and no other', async () => {
  const { database } = (await openTestContext()).context;
  const [artist, other] = [await addArtist(database), await addArtist(database)];
  const appointment = createAppointmentFacts(artist, await addAppointment(database, artist));
  const before = { ...NEW_YORK, address_two: null };
  const change = {
    ...{ undoUntil: LATER, before, studioKnown: before },
    ...{ moved: [], mailIds: [], replacedMailIds: [] },
  };
  await replaceStudioChange(database, artist.id, change);
  const mail = { notice: { kind: 'booked', appointment } as const, woken_at: null };
  const find = (artist_id: string | null, now = NOON) =>
    findStudioChangeWait(database, { ...mail, artist_id }, now);
  expect(await find(artist.id)).toBe(LATER);
  expect(await find(artist.id, LATER)).toBeNull();
  expect(await find(other.id)).toBeNull();
  expect(await find(null)).toBeNull();
});
