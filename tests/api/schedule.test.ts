import { expect, test } from 'vitest';
import type { ArtistSelf } from '#contract/artist.ts';
import { expectOk } from '#support/calls.ts';
import type { TestArtist } from '#support/new_artist.ts';
import { openStudio, type Studio } from '#support/studio.ts';
import { complaints } from './answers.ts';

const DAY = { start: '10:00', end: '13:00' };
const SCHEDULE = {
  weekly: [
    { weekday: 2, windows: [DAY, { start: '14:00', end: '24:00' }] },
    { weekday: 7, windows: [{ start: '00:00', end: '00:30' }] },
  ],
  exceptions: [
    { date: '2026-12-24', windows: [] },
    { date: '2026-12-31', windows: [DAY] },
  ],
  slot_interval_minutes: 45,
  buffer_minutes: 15,
  minimum_notice_minutes: 1440,
};

function setSchedule(studio: Studio, { token }: TestArtist, json: Record<string, unknown>) {
  return studio.call<ArtistSelf>('PATCH /users/me/schedule', { token, json });
}

function setRange(studio: Studio, { token }: TestArtist, json: Record<string, unknown>) {
  return studio.call<ArtistSelf>('PATCH /users/me/booking_range', { token, json });
}

test('what a change of the schedule leaves out keeps its value', async () => {
  const studio = await openStudio();
  const [artist, other] = [await studio.artist(), await studio.artist()];
  const set = await expectOk(setSchedule(studio, artist, SCHEDULE));
  expect(set).toEqual({ ...artist.self, schedule: SCHEDULE });
  expect(await expectOk(setSchedule(studio, artist, {}))).toEqual(set);
  const changes = [
    { buffer_minutes: 0 },
    { slot_interval_minutes: 5 },
    { minimum_notice_minutes: 0 },
    { weekly: [] },
    { exceptions: [] },
  ];
  let expected = SCHEDULE;
  for (const change of changes) {
    expected = { ...expected, ...change };
    expect((await expectOk(setSchedule(studio, artist, change))).schedule).toEqual(expected);
  }
  const { schedule } = await expectOk(
    studio.call<ArtistSelf>('GET /users/me', { token: other.token }),
  );
  expect(schedule).toEqual(other.self.schedule);
});

test('exceptions are replaced as a whole and read in order of their dates', async () => {
  const studio = await openStudio();
  const artist = await studio.artist();
  await setSchedule(studio, artist, SCHEDULE);
  const exceptions = [
    { date: '2027-03-02', windows: [DAY] },
    { date: '2027-03-01', windows: [] },
  ];
  const { schedule } = await expectOk(setSchedule(studio, artist, { exceptions }));
  expect(schedule.exceptions).toEqual(exceptions.toReversed());
});

const window = (start: unknown, end: unknown) => ({ start, end });
const onMonday = (...windows: unknown[]) => ({ weekly: [{ weekday: 1, windows }] });
const NO_FIT = 'Windows must end after they start and may not overlap';
const WRONG: [string, Record<string, unknown>, string, string?][] = [
  [
    'windows that overlap',
    onMonday(window('10:00', '13:00'), window('12:59', '14:00')),
    'weekly.0.windows',
    NO_FIT,
  ],
  [
    'windows that overlap out of order',
    onMonday(window('12:00', '14:00'), window('10:00', '12:01')),
    'weekly.0.windows',
    NO_FIT,
  ],
  ['a window twice', onMonday(DAY, DAY), 'weekly.0.windows', NO_FIT],
  ['a window past midnight', onMonday(window('22:00', '02:00')), 'weekly.0.windows', NO_FIT],
  ['an empty window', onMonday(window('10:00', '10:00')), 'weekly.0.windows', NO_FIT],
  [
    'a start of 24:00',
    onMonday(window('24:00', '24:00')),
    'weekly.0.windows.0.start',
    'Must be HH:MM',
  ],
  ['an end of 24:01', onMonday(window('10:00', '24:01')), 'weekly.0.windows.0.end'],
  [
    'a time without a zero',
    onMonday(window('9:00', '10:00')),
    'weekly.0.windows.0.start',
    'Must be HH:MM',
  ],
  ['a time with seconds', onMonday(window('09:00:00', '10:00')), 'weekly.0.windows.0.start'],
  ['minute 60', onMonday(window('09:60', '10:00')), 'weekly.0.windows.0.start', 'Must be HH:MM'],
  ['a number for a time', onMonday(window(9, '10:00')), 'weekly.0.windows.0.start'],
  [
    'a field of a window',
    onMonday({ ...DAY, zone: 'UTC' }),
    'weekly.0.windows.0.zone',
    'Unknown field',
  ],
  [
    'a weekday twice',
    { weekly: [1, 1].map((weekday) => ({ weekday, windows: [] })) },
    'weekly',
    'Each weekday once',
  ],
  ['weekday 0', { weekly: [{ weekday: 0, windows: [] }] }, 'weekly.0.weekday'],
  ['weekday 8', { weekly: [{ weekday: 8, windows: [] }] }, 'weekly.0.weekday'],
  ['a weekday by name', { weekly: [{ weekday: 'monday', windows: [] }] }, 'weekly.0.weekday'],
  [
    'a date twice',
    { exceptions: ['2026-12-24', '2026-12-24'].map((date) => ({ date, windows: [] })) },
    'exceptions',
    'Each date once',
  ],
  [
    'a date that does not exist',
    { exceptions: [{ date: '2026-02-29', windows: [] }] },
    'exceptions.0.date',
  ],
  [
    'overlaps on a date',
    { exceptions: [{ date: '2026-12-24', windows: [DAY, DAY] }] },
    'exceptions.0.windows',
    NO_FIT,
  ],
  ['an interval of 4', { slot_interval_minutes: 4 }, 'slot_interval_minutes'],
  ['an interval of a day and more', { slot_interval_minutes: 1441 }, 'slot_interval_minutes'],
  ['half a minute', { slot_interval_minutes: 30.5 }, 'slot_interval_minutes'],
  ['a buffer below zero', { buffer_minutes: -1 }, 'buffer_minutes'],
  ['a buffer as text', { buffer_minutes: '10' }, 'buffer_minutes'],
  ['a notice of over a year', { minimum_notice_minutes: 525_601 }, 'minimum_notice_minutes'],
  ['null for a field', { weekly: null }, 'weekly'],
  ['an unknown field', { time_zone: 'UTC' }, 'time_zone', 'Unknown field'],
];

test('a schedule that is not valid is told what is wrong where, and changes nothing', async () => {
  const studio = await openStudio();
  const artist = await studio.artist();
  for (const [what, json, place, message] of WRONG) {
    const found = complaints(await setSchedule(studio, artist, { buffer_minutes: 5, ...json }));
    expect(found, what).toMatchObject({ [`body.${place}`]: message ?? expect.any(String) });
  }
  expect(await expectOk(studio.call('GET /users/me', { token: artist.token }))).toEqual(
    artist.self,
  );
});

test('windows may touch and may come in any order', async () => {
  const studio = await openStudio();
  const artist = await studio.artist();
  const { weekly } = onMonday(window('13:00', '24:00'), window('00:00', '13:00'));
  const { schedule } = await expectOk(setSchedule(studio, artist, { weekly }));
  expect(schedule.weekly).toEqual(weekly);
});

test.each([
  [{ kind: 'rolling', days: 0 }],
  [{ kind: 'rolling', days: 365 }],
  [{ kind: 'fixed', start: '2026-12-01', end: '2027-01-31' }],
  [{ kind: 'fixed', start: '2026-12-01', end: '2026-12-01' }],
  [{ kind: 'open' }],
])('the booking range may be %j', async (range) => {
  const studio = await openStudio();
  const artist = await studio.artist();
  const body = await expectOk(setRange(studio, artist, range));
  expect(body).toEqual({ ...artist.self, booking_range: range });
});

const WRONG_RANGES: [Record<string, unknown>, string][] = [
  [{}, 'body.kind'],
  [{ kind: 'weekly' }, 'body.kind'],
  [{ kind: 'rolling' }, 'body.days'],
  [{ kind: 'rolling', days: -1 }, 'body.days'],
  [{ kind: 'rolling', days: 1.5 }, 'body.days'],
  [{ kind: 'rolling', days: 100_000 }, 'body.days'],
  [{ kind: 'rolling', days: 60, start: '2026-12-01' }, 'body.start'],
  [{ kind: 'fixed', start: '2026-12-02', end: '2026-12-01' }, 'body.end'],
  [{ kind: 'fixed', start: '2026-12-01' }, 'body.end'],
  [{ kind: 'fixed', start: '2026-13-01', end: '2027-01-01' }, 'body.start'],
  [{ kind: 'fixed', start: '2026-12-01T00:00:00Z', end: '2027-01-01' }, 'body.start'],
  [{ kind: 'open', days: 60 }, 'body.days'],
];

test('a booking range that is not valid is told what is wrong where, and changes nothing', async () => {
  const studio = await openStudio();
  const artist = await studio.artist();
  for (const [json, place] of WRONG_RANGES) {
    const found = complaints(await setRange(studio, artist, json));
    expect(Object.keys(found), JSON.stringify(json)).toEqual([place]);
  }
  expect(await expectOk(studio.call('GET /users/me', { token: artist.token }))).toEqual(
    artist.self,
  );
});

test('changes of the schedule that come at once all succeed', async () => {
  const studio = await openStudio();
  const { token } = await studio.artist();
  const json = { exceptions: [{ date: '2026-12-24', windows: [] }] };
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => studio.call('PATCH /users/me/schedule', { token, json })),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
});
