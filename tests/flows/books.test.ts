import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Artist } from '#contract/artist.ts';
import { expireAppointment } from '#support/app_rows.ts';
import { openArtistApp } from '#support/artist_app.ts';
import { expectOk } from '#support/call_api.ts';
import type { ArtistOptions } from '#support/new_artist.ts';
import { bookSlot, FILLED_FORM, findSlot, requestSlot } from '#support/test_app.ts';

const CLOSED = { status: 409, body: { detail: 'Books are closed.' } };

async function setUp(setup: ArtistOptions = {}) {
  const { app, artist, token, username } = await openArtistApp({}, setup);
  const change = (json: object) => app.call<Artist>('PATCH /users/me', { token, json });
  const setBooks = (state: 'open' | 'closed' | null) =>
    expectOk(change({ books: state && { state } }));
  const ask = (key: string = randomUUID()) =>
    app.call<{ id: string }>(`POST /appointments/request/design?username=${username}`, {
      json: { ...FILLED_FORM, design_id: null },
      headers: { 'Idempotency-Key': key },
    });
  const readPage = () => expectOk(app.call<Artist>(`GET /users/artist/${username}`));
  return { app, artist, change, setBooks, ask, readPage };
}

test('closed books refuse requests, except for a repeated one, and the artist’s page says so', async () => {
  const { setBooks, ask, readPage } = await setUp({ scheduling_type: 'managed' });
  expect(await readPage()).toMatchObject({ taking_bookings: true, books: { is_open: true } });
  const key = randomUUID();
  const first = await expectOk(ask(key));
  const books = { is_open: false, opens_at: null, draw: null };
  expect((await setBooks('closed')).books).toEqual({ ...books, state: 'closed' });
  expect(await ask()).toMatchObject(CLOSED);
  expect(await expectOk(ask(key))).toMatchObject({ id: first.id });
  expect(await readPage()).toMatchObject({ taking_bookings: false, books });
  expect((await setBooks('open')).books).toMatchObject({ is_open: true, state: 'open' });
  await expectOk(ask());
});

test('a fixed booking range without today closes the books of an artist who sets the times', async () => {
  const { app, artist, setBooks, ask, readPage } = await setUp({ scheduling_type: 'managed' });
  const { token } = artist;
  const json = { kind: 'fixed', start: '2025-01-01', end: '2025-01-31' };
  await expectOk(app.call('PATCH /users/me/booking_range', { token, json }));
  expect((await readPage()).books.is_open).toBe(false);
  expect(await ask()).toMatchObject(CLOSED);
  await setBooks('open');
  await expectOk(ask());
});

test('closed books refuse new bookings and expired holds; live holds and moves go on', async () => {
  const { app, artist, setBooks } = await setUp();
  const { token } = artist;
  const json = { client_move_notice_hours: 0 };
  await expectOk(app.call('PATCH /users/me/schedule', { token, json }));
  const [held, expired, moved] = [
    await bookSlot(app, artist, await findSlot(app, artist, 10)),
    await bookSlot(app, artist, await findSlot(app, artist, 20)),
    await bookSlot(app, artist, await findSlot(app, artist, 30)),
  ];
  await expireAppointment(app, expired.id);
  const confirm = (id: string) =>
    app.call<{ status: string }>(`POST /appointments/confirmation/${id}`, {});
  const view = (id: string) =>
    expectOk(app.call<{ can: string[] }>(`GET /appointments/confirmation/${id}`));
  await expectOk(confirm(moved.id));
  expect((await view(expired.id)).can).toContain('confirm');
  await setBooks('closed');
  const free = await findSlot(app, artist, 40);
  expect(await requestSlot(app, artist, free)).toMatchObject(CLOSED);
  expect(await confirm(expired.id)).toMatchObject(CLOSED);
  expect((await view(expired.id)).can).not.toContain('confirm');
  expect(await confirm(held.id)).toMatchObject({ status: 200, body: { status: 'confirmed' } });
  const path = `POST /appointments/confirmation/${moved.id}/move`;
  expect((await app.call(path, { json: free })).status).toBe(200);
  await setBooks(null);
  await expectOk(confirm(expired.id));
});

test('books take only the states that have a meaning now', async () => {
  const { change } = await setUp();
  for (const books of [{ state: 'dates' }, { state: 'closed', limit: 3 }, {}])
    expect((await change({ books })).status).toBe(422);
});
