import { expect, it } from 'vitest';
import type { Appointment } from '#contract/appointment.ts';
import type { Client } from '#contract/client.ts';
import type { Listed } from '#contract/common.ts';
import { expectOk } from '#support/calls.ts';
import type { TestArtist } from '#support/new_artist.ts';
import { listedSlots, openStudio, requestSlot, type Studio } from '#support/studio.ts';
import { NOBODY, NOT_FOUND, STALE } from './answers.ts';
import { lapse } from './rows.ts';

async function list(studio: Studio, { token }: TestArtist, query: string) {
  return expectOk(studio.call<Listed<Appointment>>(`GET /appointments/?${query}`, { token }));
}

function emails({ data }: Listed<Appointment>): (string | null)[] {
  return data.map(({ client }) => client.email);
}

/** Requests for different slots by different people; the last to ask has the first slot. */
async function threeClients(studio: Studio, artist: TestArtist) {
  const slots = await listedSlots(studio, artist);
  const people = [
    { first_name: 'Mara', last_name: 'Lindqvist', email: 'mara@example.com' },
    { first_name: 'Tomas', last_name: 'Abara', email: 'tom_as@example.com' },
    { first_name: 'Mina', last_name: 'Abara 100%', email: 'mina@example.com' },
  ];
  for (const [index, person] of people.entries()) {
    const slot = slots[48 - 10 * index];
    if (slot === undefined) throw new Error('There are not so many slots');
    await expectOk(requestSlot(studio, artist, slot, person));
  }
}

it('appointments are found by part of a name, the whole name or an email, in any case', async () => {
  const studio = await openStudio();
  const artist = await studio.artist();
  await threeClients(studio, artist);
  expect(emails(await list(studio, artist, 'search=abara'))).toEqual([
    'mina@example.com',
    'tom_as@example.com',
  ]);
  expect(emails(await list(studio, artist, 'search=mara%20lind'))).toEqual(['mara@example.com']);
  expect(emails(await list(studio, artist, 'search=TOM_AS@'))).toEqual(['tom_as@example.com']);
  expect((await list(studio, artist, 'search=nobody')).count).toBe(0);
});

it('signs that mean something to a database are taken as they are typed', async () => {
  const studio = await openStudio();
  const artist = await studio.artist();
  await threeClients(studio, artist);
  expect(emails(await list(studio, artist, 'search=%25'))).toEqual(['mina@example.com']);
  expect(emails(await list(studio, artist, 'search=_'))).toEqual(['tom_as@example.com']);
  expect((await list(studio, artist, 'search=%5C')).count).toBe(0);
});

it('the order is by when they were asked for, or by when they begin', async () => {
  const studio = await openStudio();
  const artist = await studio.artist();
  await threeClients(studio, artist);
  const byAsking = ['mina@example.com', 'tom_as@example.com', 'mara@example.com'];
  expect(emails(await list(studio, artist, ''))).toEqual(byAsking);
  expect(emails(await list(studio, artist, 'order=soonest'))).toEqual(byAsking);
  expect(emails(await list(studio, artist, 'order=latest'))).toEqual(byAsking.toReversed());
});

it('what has ended is past, what has not is upcoming, and the total counts what matches', async () => {
  const studio = await openStudio();
  const artist = await studio.artist();
  const { token } = artist;
  await threeClients(studio, artist);
  await expectOk(
    studio.call('POST /appointments/', {
      token,
      json: {
        client: { first_name: 'Past' },
        start: '2026-01-05T15:00:00Z',
        end: '2026-01-05T15:59:00Z',
      },
    }),
  );
  expect(
    (await list(studio, artist, 'when=past')).data.map(({ client }) => client.first_name),
  ).toEqual(['Past']);
  const upcoming = await list(studio, artist, 'when=upcoming&order=soonest&limit=1&skip=1');
  expect(upcoming.count).toBe(3);
  expect(emails(upcoming)).toEqual(['tom_as@example.com']);
});

it("a client's appointments are theirs alone, and another artist's client is not there", async () => {
  const studio = await openStudio();
  const [artist, other] = [await studio.artist(), await studio.artist()];
  await threeClients(studio, artist);
  const clients = await expectOk(
    studio.call<Listed<Client>>('GET /clients/?search=lindqvist', { token: artist.token }),
  );
  const id = clients.data[0]?.id ?? '';
  const theirs = await expectOk(
    studio.call<Listed<Appointment>>(`GET /appointments/by_client/${id}`, { token: artist.token }),
  );
  expect(emails(theirs)).toEqual(['mara@example.com']);
  expect(
    await studio.call(`GET /appointments/by_client/${id}`, { token: other.token }),
  ).toMatchObject(NOT_FOUND);
  expect(
    await studio.call(`GET /appointments/by_client/${NOBODY}`, { token: artist.token }),
  ).toMatchObject(NOT_FOUND);
});

it('only what came to nothing can be deleted: declined, cancelled, or lapsed though not swept', async () => {
  const studio = await openStudio();
  const artist = await studio.artist();
  const { token } = artist;
  await threeClients(studio, artist);
  const [first, second] = (await list(studio, artist, '')).data;
  const path = `/appointments/${first?.id}`;
  expect(await studio.call(`DELETE ${path}`, { token })).toMatchObject({
    status: 409,
    body: { detail: 'Only declined, expired and cancelled appointments can be deleted.' },
  });
  await expectOk(studio.call(`PATCH ${path}`, { token, json: { status: 'cancelled' } }));
  expect((await studio.call(`DELETE ${path}`, { token })).status).toBe(204);
  expect(await studio.call(`GET ${path}`, { token })).toMatchObject(NOT_FOUND);
  await lapse(studio, second?.id ?? '');
  expect((await studio.call(`DELETE /appointments/${second?.id}`, { token })).status).toBe(204);
  expect((await list(studio, artist, '')).count).toBe(1);
});

it('of two tabs that move the same appointment at once, one is told that it was changed', async () => {
  const studio = await openStudio();
  const artist = await studio.artist();
  const { token } = artist;
  await threeClients(studio, artist);
  const [appointment] = (await list(studio, artist, '')).data;
  if (!appointment) throw new Error('There is no appointment');
  const move = (start: string, end: string) =>
    studio.call(`PATCH /appointments/${appointment.id}`, {
      token,
      json: { start, end, version: appointment.version },
    });
  const answers = await Promise.all([
    move('2030-03-01T15:00:00Z', '2030-03-01T15:59:00Z'),
    move('2030-03-02T15:00:00Z', '2030-03-02T15:59:00Z'),
    // Also when it would change nothing.
    studio.call(`PATCH /appointments/${appointment.id}`, {
      token,
      json: { start: appointment.start, end: appointment.end, version: appointment.version },
    }),
    studio.call(`PATCH /appointments/${appointment.id}`, {
      token,
      json: { status: 'cancelled', version: appointment.version },
    }),
  ]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409]);
});

it('whoever cancels in a second tab hears that it was changed elsewhere', async () => {
  const studio = await openStudio();
  const artist = await studio.artist();
  const { token } = artist;
  await threeClients(studio, artist);
  const [appointment] = (await list(studio, artist, '')).data;
  const cancel = () =>
    studio.call(`PATCH /appointments/${appointment?.id}`, {
      token,
      json: { status: 'cancelled', version: appointment?.version },
    });
  expect((await cancel()).status).toBe(200);
  expect(await cancel()).toMatchObject(STALE);
});
