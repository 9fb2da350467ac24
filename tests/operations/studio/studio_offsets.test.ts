import { expect, test } from 'vitest';
import { call } from '#client/call.ts';
import type { Appointment, Confirmation } from '#contract/appointment.ts';
import type { Availability } from '#contract/availability.ts';
import { changeMe } from '#contract/endpoints.ts';
import { loadPortfolioPage } from '#server/operations/studio/artist_pages.ts';
import { expectOk } from '#support/call_api.ts';
import { addArtist } from '#support/database_rows.ts';
import { validationMessages } from '#support/problems.ts';
import { bookSlot, findSlot, openTestApp } from '#support/test_app.ts';
import { openTestContext } from '#support/test_context.ts';

/** Where the clocks of New York change. */
const SKIPPED = '2040-03-11T02:30';
const TWICE = '2040-11-04T01:30';

const CLIENT = { first_name: 'Rosa' };

test('a page’s artist has the offsets from the month’s start to 25 months ahead, cached no longer than the month', async () => {
  const { context } = await openTestContext();
  const { username } = await addArtist(context.database);
  const load = (now: string) => loadPortfolioPage(context, username, Date.parse(now));
  const { value, until } = await load('2030-06-03T04:00:00Z');
  expect(until).toBeNull();
  expect(value.artist.studio.offsets).toEqual([
    { from: '2030-06-01T04:00:00Z', minutes: -240 },
    { from: '2030-11-03T06:00:00Z', minutes: -300 },
    { from: '2031-03-09T07:00:00Z', minutes: -240 },
    { from: '2031-11-02T06:00:00Z', minutes: -300 },
    { from: '2032-03-14T07:00:00Z', minutes: -240 },
    // The end.
    { from: '2032-08-01T04:00:00Z', minutes: -240 },
  ]);
  const atNight = await load('2030-07-01T03:30:00Z');
  expect(atNight.until).toBe(Date.parse('2030-07-01T04:00:00Z'));
  expect(atNight.value.artist.studio.offsets[0]?.from).toBe('2030-06-01T04:00:00Z');
});

test('own answers, appointments and availability cover their earliest and latest instant', async () => {
  const app = await openTestApp();
  const artist = await app.newArtist();
  const slot = await findSlot(app, artist);
  const { id } = await bookSlot(app, artist, slot);
  const { token } = artist;
  const { data, offsets } = await expectOk(
    app.call<Availability>(
      `GET /services/${artist.service.id}/availability?year=${slot.start.slice(0, 4)}&month=${Number(slot.start.slice(5, 7))}`,
    ),
  );
  const mine = await expectOk(app.call<Appointment>(`GET /appointments/${id}`, { token }));
  const { user } = await expectOk(app.call<Confirmation>(`GET /appointments/confirmation/${id}`));
  const { studio, created_at } = await call(artist.http, changeMe, { body: {} });
  const cover = (list: readonly { from: string }[], first = '', last = first) =>
    (list[0]?.from ?? '') <= first && last < (list.at(-1)?.from ?? '');
  expect(cover(offsets, data[0]?.windows[0]?.start, data.at(-1)?.windows.at(-1)?.end)).toBe(true);
  expect(cover(mine.offsets, mine.created_at, mine.blocked_until ?? '')).toBe(true);
  expect(cover(user.studio.offsets, mine.created_at, slot.end)).toBe(true);
  expect(cover(studio.offsets, created_at, slot.end)).toBe(true);
});

test('an artist enters and moves an appointment by the studio’s clock', async () => {
  const app = await openTestApp();
  const { token } = await app.newArtist();
  const enter = (start: unknown, end: unknown) =>
    app.call<Appointment>('POST /appointments/', { token, json: { client: CLIENT, start, end } });
  const entered = await enter({ local: '2040-01-13T10:00' }, { local: '2040-01-13T11:59' });
  expect(entered.body).toMatchObject({
    start: '2040-01-13T15:00:00Z',
    end: '2040-01-13T16:59:00Z',
  });
  const move = (json: object) =>
    app.call<Appointment>(`PATCH /appointments/${entered.body.id}`, { token, json });
  const moved = await move({ start: { local: TWICE }, end: '2040-11-04T06:29:00Z' });
  expect(moved.body).toMatchObject({ start: '2040-11-04T05:30:00Z', end: '2040-11-04T06:29:00Z' });

  const refusals = await Promise.all([
    enter({ local: SKIPPED }, { local: '2040-03-11T05:00' }),
    move({ start: { local: '2040-03-12T10:00' }, end: { local: '2040-03-12T09:00' } }),
    enter({ local: '2040-02-30T10:00' }, { local: '2040-03-01T10:00' }),
    // In 2200 by UTC.
    enter({ local: '2199-12-31T18:00' }, { local: '2199-12-31T23:59' }),
  ]);
  expect(new Set(refusals.map(({ status }) => status))).toEqual(new Set([422]));
  expect(refusals.map((one) => Object.keys(validationMessages(one)))).toEqual([
    ['body.start.local'],
    ['body.end'],
    ['body.start.local'],
    ['body.end.local'],
  ]);
});

test('a clock time is that of the present studio, also for an appointment of an earlier one', async () => {
  const app = await openTestApp();
  const { token } = await app.newArtist();
  const past = { start: { local: '2020-01-13T10:00' }, end: { local: '2020-01-13T11:59' } };
  const { body } = await app.call<Appointment>('POST /appointments/', {
    token,
    json: { client: CLIENT, ...past },
  });
  expect(body.start).toBe('2020-01-13T15:00:00Z');
  await expectOk(
    app.call('PATCH /users/me', { token, json: { studio: { time_zone: 'Europe/Berlin' } } }),
  );
  const json = { start: { local: '2040-01-13T10:00' }, end: { local: '2040-01-13T11:59' } };
  const moved = await expectOk(
    app.call<Appointment>(`PATCH /appointments/${body.id}`, { token, json }),
  );
  expect(moved.start).toBe('2040-01-13T09:00:00Z');
});
