import { expect, test, vi } from 'vitest';
import { call } from '#client/call.ts';
import type { Appointment } from '#contract/appointment.ts';
import type { Availability } from '#contract/availability.ts';
import type { ListPage } from '#contract/common.ts';
import { changeSchedule, fetchMe } from '#contract/endpoints.ts';
import { computePreviewDays } from '#domain/booking/availability_preview.ts';
import { addDays } from '#domain/time/calendar_date.ts';
import { localDateAt } from '#domain/time/format_time.ts';
import { MINUTE_MS, toRfc3339 } from '#domain/time/time.ts';
import { toBlockedTimes, toBookedAppointments } from '#stores/studio/booked_appointments.ts';
import { openArtistApp } from '#support/artist_app.ts';
import { expectOk } from '#support/call_api.ts';
import type { TestArtist } from '#support/new_artist.ts';
import { bookSlot, findSlot, type TestApp } from '#support/test_app.ts';

const DAYS = 14;
const EVERY_DAY = [1, 2, 3, 4, 5, 6, 7];

/** The preview of the schedule page, computed from the settings and the appointments. */
async function computePreview(
  app: TestApp,
  { token, service }: TestArtist,
  duration: number | null,
) {
  const me = await call(app.http(token), fetchMe);
  const zone = me.studio.time_zone;
  const now = Date.now();
  const span = new URLSearchParams({
    start: toRfc3339(now - 2 * 24 * 60 * MINUTE_MS),
    end: toRfc3339(now + 20 * 24 * 60 * MINUTE_MS),
  });
  const { data } = await expectOk(
    app.call<ListPage<Appointment>>(`GET /appointments/schedule?${span}`, { token }),
  );
  const calendar = {
    zone,
    schedule: me.schedule,
    bookingRange: me.booking_range,
    blocked: toBlockedTimes(toBookedAppointments(data)),
  };
  const days = computePreviewDays(calendar, duration, DAYS, now);
  const path = duration === null ? `users/${me.id}` : `services/${service.id}`;
  return { days: days.filter(({ times: windows }) => windows.length > 0), path, zone, now };
}

/** The same days, as the API lists them to clients. */
async function listDays(app: TestApp, path: string, zone: string, now: number) {
  const today = localDateAt(zone, now);
  const last = addDays(today, DAYS - 1);
  const months = [...new Set([today, last].map((date) => date.slice(0, 7)))];
  const responses = await Promise.all(
    months.map((month) => {
      const [year, number] = month.split('-').map(Number);
      return expectOk(
        app.call<Availability>(`GET /${path}/availability?year=${year}&month=${number}`),
      );
    }),
  );
  return responses
    .flatMap(({ data }) => data)
    .filter(({ date }) => date >= today && date <= last)
    .map(({ date, windows }) => ({
      date,
      windows: windows.map(({ start, end }) => ({
        start: Date.parse(start),
        end: Date.parse(end) + MINUTE_MS,
      })),
    }));
}

/** Expects equal days from both; retries because a minute may pass between the two. */
async function expectSameDays(app: TestApp, artist: TestArtist, duration: number | null) {
  await vi.waitFor(async () => {
    const { days, path, zone, now } = await computePreview(app, artist, duration);
    expect(days.length).toBeGreaterThan(2);
    expect(days.map(({ date, times: windows }) => ({ date, windows }))).toEqual(
      await listDays(app, path, zone, now),
    );
  });
}

const SETTINGS = [
  [
    'two windows a day, unaligned starts, and a longer buffer than that of the appointment',
    'Europe/Berlin',
    {
      weekly: EVERY_DAY.map((weekday) => ({
        weekday,
        windows: [
          { start: '08:10', end: '12:00' },
          { start: '12:00', end: '24:00' },
        ],
      })),
      slot_interval_minutes: 25,
      buffer_minutes: 50,
      minimum_notice_minutes: 600,
    },
  ],
  [
    'a half-hour time zone, a day of notice, some days closed',
    'Asia/Kolkata',
    {
      weekly: [1, 2, 4, 5, 6].map((weekday) => ({
        weekday,
        windows: [{ start: '09:00', end: '21:00' }],
      })),
      minimum_notice_minutes: 1440,
    },
  ],
] as const;

for (const [name, time_zone, schedule] of SETTINGS)
  test(`the preview of the schedule equals the availability for clients: ${name}`, async () => {
    const { app, artist } = await openArtistApp({}, { time_zone });
    const slot = await findSlot(app, artist, 30);
    await bookSlot(app, artist, slot);
    const closed = addDays(localDateAt(time_zone, Date.parse(slot.start)), 2);
    const json = { ...schedule, exceptions: [{ date: closed, windows: [] }] };
    const { token } = artist;
    await call(app.http(token), changeSchedule, { body: json });
    const range = { kind: 'rolling', days: 9 };
    await expectOk(app.call('PATCH /users/me/booking_range', { token, json: range }));

    await expectSameDays(app, artist, artist.service.duration);
    await expectSameDays(app, artist, null);
  });
