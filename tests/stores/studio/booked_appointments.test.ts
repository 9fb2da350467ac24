import { expect, test } from 'vitest';
import { APPOINTMENT_STATUSES } from '#domain/appointments/appointment.ts';
import { startSession } from '#stores/session.ts';
import {
  listAppointmentsOnDates,
  parseAppointmentTime,
  toBlockedTimes,
  toBookedAppointments,
} from '#stores/studio/booked_appointments.ts';
import { stubApi } from '#support/fake_api.ts';
import { createAppointment, toListed } from '#support/fake_schedule_api.ts';

const at = (time: string) => Date.parse(`2026-12-03T${time}:00Z`);

test('an appointment ends one minute after the last minute that the API returns', () => {
  expect(parseAppointmentTime(createAppointment({}))).toEqual({
    start: at('15:00'),
    end: at('16:00'),
    blockedUntil: at('16:15'),
  });
});

test('without a buffer an appointment blocks only its own time; a request blocks none', () => {
  expect(parseAppointmentTime(createAppointment({ blocked_until: null }))?.blockedUntil).toBe(
    at('16:00'),
  );
  expect(
    parseAppointmentTime(createAppointment({ start: null, end: null, blocked_until: null })),
  ).toBeNull();
});

test('only held, offered and confirmed appointments are booked', () => {
  const all = APPOINTMENT_STATUSES.map((status) => createAppointment({ status }));
  expect(toBookedAppointments(all).map(({ appointment }) => appointment.status)).toEqual([
    'held',
    'offered',
    'confirmed',
  ]);
});

test('booked appointments and their blocked times are sorted by start', () => {
  const later = createAppointment({
    id: 'later',
    start: '2026-12-03T18:00:00Z',
    end: '2026-12-03T18:59:00Z',
    blocked_until: null,
  });
  const booked = toBookedAppointments([later, createAppointment({ id: 'sooner' })]);
  expect(booked.map(({ appointment }) => appointment.id)).toEqual(['sooner', 'later']);
  expect(toBlockedTimes(booked)).toEqual([
    { start: at('15:00'), end: at('16:15') },
    { start: at('18:00'), end: at('19:00') },
  ]);
});

test('lists what lies on the dates by the offsets of each appointment', async () => {
  startSession('one');
  const timeOf = (start: string) => ({ id: start, start, end: start, blocked_until: null });
  const starts = ['2026-03-08T04:59:00Z', '2026-03-08T05:00:00Z', '2026-03-09T03:59:00Z'];
  const listed = [...starts, '2026-03-09T04:00:00Z'].map((start) =>
    createAppointment(timeOf(start)),
  );
  const calls = stubApi(() => toListed(...listed));
  const found = await listAppointmentsOnDates({ first: '2026-03-08', last: '2026-03-08' });
  expect(found.map(({ start }) => start)).toEqual(starts.slice(1));
  // In any zone: the date begins first at UTC+14, and ends last at UTC-12.
  expect(Object.fromEntries(calls[0]?.query ?? [])).toEqual({
    start: '2026-03-07T10:00:00Z',
    end: '2026-03-09T11:59:00Z',
  });
});
