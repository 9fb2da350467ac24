import { expect, test } from 'vitest';
import { call } from '#client/call.ts';
import {
  changeSchedule,
  changeService,
  confirmAppointment,
  deleteDesign,
  deleteService,
  fetchConfirmation,
} from '#contract/endpoints.ts';
import { addDesignRow, countRows, expireAppointment, loadAllRows } from '#support/app_rows.ts';
import { refusalOf } from '#support/call_api.ts';
import { NO_DESIGN_FACTS, NO_TERMS } from '#support/design_facts.ts';
import type { TestArtist } from '#support/new_artist.ts';
import {
  DESIGN_GONE,
  NOT_FOUND,
  SERVICE_GONE,
  STATE_CHANGED,
  TIME_TAKEN,
  UNKNOWN_ID,
  validationMessages,
  validationProblem,
  WRONG_FLOW,
} from '#support/problems.ts';
import {
  addMinutes,
  bookSlot,
  FILLED_FORM,
  findSlot,
  listSlots,
  openTestApp,
  requestSlot,
  shiftSlot,
  type TestApp,
} from '#support/test_app.ts';

test('booking a listed time holds it, and returns exactly the body of the confirmation page', async () => {
  const app = await openTestApp();
  const artist = await app.newArtist();
  const design = await addDesignRow(app, artist);
  const slot = await findSlot(app, artist);
  const response = await requestSlot(app, artist, slot, { design_id: design.id });
  expect(response.status).toBe(201);
  expect(response.body).toStrictEqual({
    id: response.body.id,
    start: slot.start,
    end: slot.end,
    confirmed: false,
    status: 'held',
    version: 1,
    must_prove_email: false,
    email_proven: false,
    email_hint: 'r•••@example.com',
    lapses_at: response.body.lapses_at,
    cancel_until: addMinutes(slot.start, -48 * 60),
    move_until: null,
    times: [{ id: response.body.times[0]?.id, ...slot }],
    location: 'arms',
    size: 'small',
    customer_notes: FILLED_FORM.customer_notes,
    history: [{ at: response.body.history[0]?.at, by: 'client', what: 'held', start: slot.start }],
    can: ['confirm', 'release', 'change_email'],
    data_requests: [],
    data_erased_at: null,
    note: null,
    ...NO_TERMS,
    client: { first_name: 'Rosa' },
    design: {
      id: design.id,
      name: 'Swallow',
      description: 'In black.',
      status: 'available',
      ...NO_DESIGN_FACTS,
      image: {
        id: design.imageId,
        file_url: `/media/${design.imageId}/800.webp`,
        title: 'A swallow',
        width: 1600,
        height: 1200,
        sources: [
          {
            type: 'image/avif',
            srcset: `/media/${design.imageId}/400.avif 400w, /media/${design.imageId}/800.avif 800w`,
          },
          {
            type: 'image/webp',
            srcset: `/media/${design.imageId}/400.webp 400w, /media/${design.imageId}/800.webp 800w`,
          },
        ],
        placeholder: null,
      },
    },
    service: {
      id: artist.service.id,
      name: 'Flash',
      description: '',
      duration: 60,
      is_available: true,
      price: null,
    },
    user: {
      username: artist.username,
      full_name: 'An Artist',
      studio: {
        name: 'The Studio',
        address_one: '1 Example Street',
        address_two: null,
        city: 'New York',
        state: 'NY',
        zip_code: '10001',
        time_zone: 'America/New_York',
      },
    },
  });
  expect(response.body.id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  const read = await app.call(`GET /appointments/confirmation/${response.body.id}`);
  expect(read.status).toBe(200);
  expect(read.body).toStrictEqual(response.body);
  expect(read.headers.get('Cache-Control')).toBe('no-store');
});

test('confirming a hold twice returns the same response and changes nothing (idempotent)', async () => {
  const app = await openTestApp({ database: 'own' });
  const artist = await app.newArtist();
  const held = await bookSlot(app, artist, await findSlot(app, artist));
  const first = await app.call(`POST /appointments/confirmation/${held.id}`);
  const after = await loadAllRows(app);
  const second = await app.call(`POST /appointments/confirmation/${held.id}`);
  expect(first.status).toBe(200);
  expect(first.body).toStrictEqual({
    ...held,
    status: 'confirmed',
    confirmed: true,
    version: 2,
    lapses_at: null,
    // 48 hours before the start.
    cancel_until: expect.any(String),
    times: [],
    history: [
      ...held.history,
      { at: expect.any(String), by: 'client', what: 'confirmed', start: held.start },
    ],
    can: expect.any(Array),
  });
  expect(second.status).toBe(200);
  expect(second.body).toStrictEqual(first.body);
  expect(await loadAllRows(app)).toBe(after);
});

test('GET requests never write to the database', async () => {
  const app = await openTestApp({ database: 'own' });
  const artist = await app.newArtist();
  const slot = await findSlot(app, artist);
  const held = await bookSlot(app, artist, slot);
  await expireAppointment(app, held.id);
  const before = await loadAllRows(app);
  const year = slot.start.slice(0, 4);
  const gets = [
    `/appointments/confirmation/${held.id}`,
    `/appointments/${held.id}`,
    '/appointments?status=expired',
    `/appointments/schedule?start=${year}-01-01T00:00:00Z&end=${Number(year) + 1}-12-31T00:00:00Z`,
    `/services/${artist.service.id}/availability?year=${year}&month=${Number(slot.start.slice(5, 7))}`,
    `/users/availability?year=${year}&month=1`,
    '/users/me',
    `/users/artist/${artist.username}`,
    '/services',
  ];
  for (const path of gets) {
    const { status } = await app.call(`GET ${path}`, { token: artist.token });
    expect([path, status]).toEqual([path, 200]);
  }
  expect(await loadAllRows(app)).toBe(before);
});

test('a held time is no longer listed', async () => {
  const app = await openTestApp();
  const artist = await app.newArtist();
  const slot = await findSlot(app, artist);
  await bookSlot(app, artist, slot);
  const starts = (await listSlots(app, artist)).map(({ start }) => start);
  expect(starts).not.toContain(slot.start);
});

type Slot = { start: string; end: string };

const UNLISTED_TIMES: {
  why: string;
  minutes?: number;
  schedule?: (slot: Slot) => Record<string, unknown>;
  range?: Record<string, unknown>;
}[] = [
  { why: 'lies off the grid', minutes: 7 },
  { why: 'lies in the past', minutes: -2 * 1440 },
  { why: 'lies in closed hours', schedule: () => ({ weekly: [] }) },
  {
    why: 'lies on a date that an exception closes',
    schedule: ({ start }) => ({
      exceptions: [-1, 0, 1].map((days) => ({ date: dateOf(start, days), windows: [] })),
    }),
  },
  { why: 'comes sooner than the notice', schedule: () => ({ minimum_notice_minutes: 4 * 1440 }) },
  { why: 'lies beyond the booking range', range: { kind: 'rolling', days: 0 }, minutes: 1440 },
  {
    why: 'lies before a fixed booking range',
    range: { kind: 'fixed', start: '2190-01-01', end: '2190-12-31' },
  },
];

test.each(UNLISTED_TIMES)('a time that $why is refused, and nothing is stored', async (row) => {
  const { minutes = 0, schedule, range } = row;
  const app = await openTestApp({ database: 'own' });
  const artist = await app.newArtist();
  const { token } = artist;
  const slot = await findSlot(app, artist);
  if (schedule) await call(app.http(token), changeSchedule, { body: schedule(slot) });
  if (range) await app.call('PATCH /users/me/booking_range', { token, json: range });
  expect(await refusalOf(bookSlot(app, artist, shiftSlot(slot, minutes)))).toMatchObject(
    TIME_TAKEN,
  );
  expect(await countRows(app)).toEqual({ appointments: 0, clients: 0, occupied: 0 });
});

test.each([
  ['one minute late, as if it were exclusive', 1],
  ['one minute early', -1],
  ['an hour long', 60],
  ['before the start', -120],
])('an end that is %s does not match the service and is invalid', async (_, minutes) => {
  const app = await openTestApp();
  const artist = await app.newArtist();
  const slot = await findSlot(app, artist);
  const response = await requestSlot(app, artist, {
    ...slot,
    end: addMinutes(slot.end, minutes),
  });
  expect(response).toMatchObject(
    validationProblem(['body', 'end'], 'This service has changed. Please choose again.'),
  );
  expect(response.body).toMatchObject({ detail: [{ type: 'service_changed' }] });
});

test('a time may have an offset other than UTC', async () => {
  const app = await openTestApp();
  const artist = await app.newArtist();
  const slot = await findSlot(app, artist);
  const inParis = (instant: string) => addMinutes(instant, 120).replace('Z', '+02:00');
  const response = await requestSlot(app, artist, {
    start: inParis(slot.start),
    end: inParis(slot.end),
  });
  expect(response).toMatchObject({ status: 201, body: slot });
});

type Setting = { app: TestApp; artist: TestArtist; other: TestArtist };
const NOT_BOOKABLE: [string, object, (setting: Setting) => Promise<Record<string, unknown>>][] = [
  ['a service that does not exist', NOT_FOUND, async () => ({ service_id: UNKNOWN_ID })],
  ["another artist's service", NOT_FOUND, async ({ other }) => ({ service_id: other.service.id })],
  [
    'a service that is not available',
    SERVICE_GONE,
    async ({ app, artist }) => {
      await call(app.http(artist.token), changeService, {
        path: { service_id: artist.service.id },
        body: { is_available: false },
      });
      return {};
    },
  ],
  [
    'a deleted service',
    SERVICE_GONE,
    async ({ app, artist }) => {
      await call(app.http(artist.token), deleteService, {
        path: { service_id: artist.service.id },
      });
      return {};
    },
  ],
  ['a design that does not exist', NOT_FOUND, async () => ({ design_id: UNKNOWN_ID })],
  [
    "another artist's design",
    NOT_FOUND,
    async ({ app, other }) => ({ design_id: (await addDesignRow(app, other)).id }),
  ],
  [
    'a claimed design',
    DESIGN_GONE,
    async ({ app, artist }) => ({
      design_id: (await addDesignRow(app, artist, { status: 'claimed' })).id,
    }),
  ],
  [
    'a hidden design',
    DESIGN_GONE,
    async ({ app, artist }) => ({
      design_id: (await addDesignRow(app, artist, { status: 'hidden' })).id,
    }),
  ],
  [
    'a deleted design',
    DESIGN_GONE,
    async ({ app, artist }) => {
      const { id } = await addDesignRow(app, artist);
      await call(app.http(artist.token), deleteDesign, { path: { design_id: id } });
      return { design_id: id };
    },
  ],
];

test.each(NOT_BOOKABLE)('%s cannot be booked', async (_, refusal, change) => {
  const app = await openTestApp({ database: 'own' });
  const [artist, other] = [await app.newArtist(), await app.newArtist()];
  const slot = await findSlot(app, artist);
  const changes = await change({ app, artist, other });
  expect(await refusalOf(bookSlot(app, artist, slot, changes))).toMatchObject(refusal);
  expect(await countRows(app)).toEqual({ appointments: 0, clients: 0, occupied: 0 });
});

test('a booking without a username goes to the artist of its design', async () => {
  const app = await openTestApp();
  const artist = await app.newArtist();
  const { id } = await addDesignRow(app, artist);
  const json = {
    ...FILLED_FORM,
    ...(await findSlot(app, artist)),
    service_id: artist.service.id,
  };
  const path = 'POST /appointments/request/service';
  expect(validationMessages(await app.call(path, { json }))).toEqual({
    'query.username': 'Is required without a design_id',
  });
  expect(await app.call(path, { json: { ...json, design_id: id } })).toMatchObject({
    status: 201,
    body: { user: { username: artist.username } },
  });
});

test('an unknown or inactive artist cannot be booked', async () => {
  const app = await openTestApp();
  const artist = await app.newArtist();
  const slot = await findSlot(app, artist);
  const unknown = { ...artist, username: 'nobody-at-all' };
  expect(await refusalOf(bookSlot(app, unknown, slot))).toMatchObject(NOT_FOUND);
  await app.database
    .updateTable('artists')
    .set({ is_active: false })
    .where('id', '=', artist.self.id)
    .execute();
  expect(await refusalOf(bookSlot(app, artist, slot))).toMatchObject(NOT_FOUND);
});

test.each([
  ['managed', 409, 201],
  [null, 409, 409],
  ['service', 201, 409],
] as const)(
  'an artist with scheduling type %s accepts only that kind of booking',
  async (scheduling_type, service, design) => {
    const app = await openTestApp();
    const artist = await app.newArtist({ scheduling_type });
    const byService = await requestSlot(app, artist, await findSlot(app, artist));
    const byDesign = await app.call(
      `POST /appointments/request/design?username=${artist.username}`,
      { json: { ...FILLED_FORM, design_id: null } },
    );
    expect([byService.status, byDesign.status]).toEqual([service, design]);
    for (const response of [byService, byDesign])
      if (response.status === 409) expect(response).toMatchObject(WRONG_FLOW);
  },
);

test('a buffer blocks the time after an appointment, and needs free time before the next', async () => {
  const app = await openTestApp();
  const artist = await app.newArtist({ time_zone: 'America/Phoenix' });
  const json = { slot_interval_minutes: 30, buffer_minutes: 30 };
  await call(app.http(artist.token), changeSchedule, { body: json });
  // Noon in the studio, far from the ends of a day's window.
  const noons = (await listSlots(app, artist)).filter(({ start }) => start.endsWith('T19:00:00Z'));
  const slot = noons[1] ?? expect.fail('There is no such slot');
  expect(await requestSlot(app, artist, slot)).toMatchObject({ status: 201 });
  const starts = (await listSlots(app, artist)).map(({ start }) => start);
  const around = [-120, -90, -60, -30, 0, 30, 60, 90, 120].map((minutes) => [
    minutes,
    starts.includes(addMinutes(slot.start, minutes)),
  ]);
  expect(around).toEqual([
    [-120, true],
    [-90, true],
    [-60, false],
    [-30, false],
    [0, false],
    [30, false],
    [60, false],
    [90, true],
    [120, true],
  ]);
  const at = (minutes: number) => shiftSlot(slot, minutes);
  expect(await refusalOf(bookSlot(app, artist, at(60)))).toMatchObject(TIME_TAKEN);
  expect(await refusalOf(bookSlot(app, artist, at(-60)))).toMatchObject(TIME_TAKEN);
  expect(await requestSlot(app, artist, at(90))).toMatchObject({ status: 201 });
  expect(await requestSlot(app, artist, at(-90))).toMatchObject({ status: 201 });
});

test.each(['cancelled', 'completed', 'no_show', 'declined', 'requested'] as const)(
  'confirming an appointment that is %s is refused unless it took place or was missed',
  async (status) => {
    const app = await openTestApp();
    const artist = await app.newArtist();
    const body = await bookSlot(app, artist, await findSlot(app, artist));
    await app.database
      .updateTable('appointments')
      .set({ status })
      .where('id', '=', body.id)
      .execute();
    const response = await app.call(`POST /appointments/confirmation/${body.id}`);
    const wasConfirmed = status === 'completed' || status === 'no_show';
    expect(response).toMatchObject(
      wasConfirmed ? { status: 200, body: { status, confirmed: true } } : STATE_CHANGED,
    );
  },
);

test('the confirmation of an unknown id is not found', async () => {
  const app = await openTestApp();
  expect(
    await refusalOf(call(app.http(), fetchConfirmation, { path: { appt_id: UNKNOWN_ID } })),
  ).toMatchObject(NOT_FOUND);
  expect(
    await refusalOf(call(app.http(), confirmAppointment, { path: { appt_id: UNKNOWN_ID } })),
  ).toMatchObject(NOT_FOUND);
});

function dateOf(instant: string, days: number): string {
  return addMinutes(instant, days * 1440).slice(0, 10);
}
