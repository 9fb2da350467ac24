import { expect, test } from 'vitest';
import type { Appointment } from '#contract/appointment.ts';
import type { Listed } from '#contract/common.ts';
import { expectOk } from '#support/calls.ts';
import type { TestArtist } from '#support/new_artist.ts';
import {
  aSlot,
  FILLED_FORM,
  minutesAfter,
  openStudio,
  requestSlot,
  type Studio,
} from '#support/studio.ts';
import { complaints, NOBODY, NOT_FOUND } from './answers.ts';
import { lapse } from './rows.ts';

function list(studio: Studio, { token }: TestArtist, query = '') {
  return expectOk(studio.call<Listed<Appointment>>(`GET /appointments${query}`, { token }));
}

/** Asks for the design as one client after another; answers the ids, newest first. */
async function askTimes(studio: Studio, { username }: TestArtist, times: number) {
  const ids: string[] = [];
  for (let n = 0; n < times; n += 1) {
    const json = { ...FILLED_FORM, email: `client${n}@example.com` };
    const path = `POST /appointments/request/design?username=${username}`;
    ids.unshift((await expectOk(studio.call<{ id: string }>(path, { json }))).id);
  }
  return ids;
}

test("an artist's appointments are listed newest first, a page at a time", async () => {
  const studio = await openStudio();
  const artist = await studio.artist({ scheduling_type: 'managed' });
  const other = await studio.artist({ scheduling_type: 'managed' });
  expect(await list(studio, artist)).toEqual({ data: [], count: 0 });
  const ids = await askTimes(studio, artist, 5);
  await askTimes(studio, other, 1);
  const idsOf = async (query: string) => {
    const { data, count } = await list(studio, artist, query);
    return [data.map(({ id }) => id), count];
  };
  expect(await idsOf('')).toEqual([ids, 5]);
  expect(await idsOf('?limit=2')).toEqual([ids.slice(0, 2), 5]);
  expect(await idsOf('?skip=2&limit=2')).toEqual([ids.slice(2, 4), 5]);
  expect(await idsOf('?skip=4&limit=200')).toEqual([ids.slice(4), 5]);
  expect(await idsOf('?skip=5')).toEqual([[], 5]);
});

test.each([
  ['limit=201', 'limit'],
  ['limit=0', 'limit'],
  ['limit=ten', 'limit'],
  ['skip=-1', 'skip'],
  ['skip=1.5', 'skip'],
  ['status=done', 'status'],
])('the list of appointments does not take %s', async (query, field) => {
  const studio = await openStudio();
  const { token } = await studio.artist();
  const answer = await studio.call(`GET /appointments?${query}`, { token });
  expect(Object.keys(complaints(answer))).toEqual([`query.${field}`]);
});

test('appointments are filtered by what they are now, and a lapsed hold is expired', async () => {
  const studio = await openStudio();
  const artist = await studio.artist();
  const states = ['held', 'confirmed', 'cancelled', 'completed', 'no_show', 'expired'] as const;
  const ids: Record<string, string> = {};
  for (const [index, status] of ([...states, 'lapsed'] as const).entries()) {
    const slot = await aSlot(studio, artist, 24 + index);
    const { body } = await requestSlot(studio, artist, slot);
    ids[status] = body.id;
    if (status === 'lapsed') await lapse(studio, body.id);
    else
      await studio.database
        .updateTable('appointments')
        .set({ status })
        .where('id', '=', body.id)
        .execute();
  }
  const found = async (status: string) => {
    const { data, count } = await list(studio, artist, `?status=${status}`);
    expect(data.map((one) => one.status)).toEqual(data.map(() => status));
    expect(count).toBe(data.length);
    return data.map(({ id }) => id);
  };
  expect(await found('held')).toEqual([ids['held']]);
  expect(await found('expired')).toEqual([ids['lapsed'], ids['expired']]);
  expect(await found('offered')).toEqual([]);
  for (const status of ['confirmed', 'cancelled', 'completed', 'no_show'])
    expect(await found(status)).toEqual([ids[status]]);
  expect(await list(studio, artist)).toMatchObject({ count: 7 });
});

test('the artist reads an appointment with who, what, where and when', async () => {
  const studio = await openStudio();
  const artist = await studio.artist();
  const { body: held } = await requestSlot(studio, artist, await aSlot(studio, artist));
  const { token } = artist;
  const { body, status } = await studio.call<Appointment>(`GET /appointments/${held.id}`, {
    token,
  });
  expect(status).toBe(200);
  expect(body).toStrictEqual({
    id: held.id,
    start: held.start,
    end: held.end,
    blocked_until: held.end,
    status: 'held',
    confirmed: false,
    version: 1,
    client: {
      id: body.client.id,
      first_name: 'Rosa',
      last_name: 'Quint',
      pronouns: 'she/her',
      email: 'rosa@example.com',
      phone_number: '+12125550100',
      preferred_contact: 'text',
    },
    service: held.service,
    design: null,
    location: 'arms',
    size: 'small',
    customer_notes: 'A swallow, please.',
    note: null,
    created_at: body.created_at,
  });
  expect((await list(studio, artist)).data).toStrictEqual([body]);
});

test("another artist's appointment is not found, and changes by nobody else", async () => {
  const studio = await openStudio();
  const [artist, other] = [await studio.artist(), await studio.artist()];
  const { body } = await requestSlot(studio, artist, await aSlot(studio, artist));
  const path = `/appointments/${body.id}`;
  const before = await expectOk(studio.call(`GET ${path}`, { token: artist.token }));
  const { token } = other;
  const json = { status: 'cancelled' };
  expect(await studio.call(`GET ${path}`, { token })).toMatchObject(NOT_FOUND);
  expect(await studio.call(`PATCH ${path}`, { token, json })).toMatchObject(NOT_FOUND);
  expect(await list(studio, other)).toEqual({ data: [], count: 0 });
  expect(await expectOk(studio.call(`GET ${path}`, { token: artist.token }))).toEqual(before);
  expect(await studio.call(`GET /appointments/${NOBODY}`, { token })).toMatchObject(NOT_FOUND);
});

test('the schedule shows what touches the span, of which the end is the last minute', async () => {
  const studio = await openStudio();
  const artist = await studio.artist();
  const slot = await aSlot(studio, artist);
  const { body } = await requestSlot(studio, artist, slot);
  const shown = async (from: number, until: number) => {
    const span = `start=${minutesAfter(slot.start, from)}&end=${minutesAfter(slot.start, until)}`;
    const path = `GET /appointments/schedule?${span}`;
    const { data, count } = await expectOk(
      studio.call<Listed<Appointment>>(path, { token: artist.token }),
    );
    expect(count).toBe(data.length);
    return data.map(({ id }) => id);
  };
  expect(await shown(0, 59)).toEqual([body.id]);
  expect(await shown(-60, -1)).toEqual([]);
  expect(await shown(-60, 0)).toEqual([body.id]);
  expect(await shown(20, 20)).toEqual([body.id]);
  expect(await shown(59, 600)).toEqual([body.id]);
  expect(await shown(60, 600)).toEqual([]);
});

test('the schedule shows only what is on the calendar, in order of the start', async () => {
  const studio = await openStudio();
  const [artist, other] = [await studio.artist(), await studio.artist()];
  const first = await aSlot(studio, artist, 24);
  const states = ['confirmed', 'held', 'offered', 'completed', 'no_show'] as const;
  const gone = ['cancelled', 'declined', 'expired', 'lapsed'] as const;
  const expected: string[] = [];
  for (const [index, state] of [...gone, ...states].entries()) {
    const { body } = await requestSlot(studio, artist, await aSlot(studio, artist, 48 - index), {
      email: `client${index}@example.com`,
    });
    if (state === 'lapsed') await lapse(studio, body.id);
    else
      await studio.database
        .updateTable('appointments')
        .set({ status: state })
        .where('id', '=', body.id)
        .execute();
    if (states.some((one) => one === state)) expected.unshift(`${body.id} ${state}`);
  }
  await requestSlot(studio, other, await aSlot(studio, other, 30));
  const span = `start=${first.start}&end=${minutesAfter(first.start, 4 * 1440)}`;
  const { data } = await expectOk(
    studio.call<Listed<Appointment>>(`GET /appointments/schedule/?${span}`, {
      token: artist.token,
    }),
  );
  expect(data.map(({ id, status }) => `${id} ${status}`)).toEqual(expected);
});

test.each([
  ['no span', '', ['query.end', 'query.start']],
  ['an end before its start', 'start=2030-01-02T00:00:00Z&end=2030-01-01T00:00:00Z', ['query.end']],
  ['bare dates', 'start=2030-01-01&end=2030-01-02', ['query.end', 'query.start']],
])('the schedule does not take %s', async (_, query, places) => {
  const studio = await openStudio();
  const { token } = await studio.artist();
  const answer = await studio.call(`GET /appointments/schedule?${query}`, { token });
  expect(Object.keys(complaints(answer)).sort()).toEqual(places);
});
