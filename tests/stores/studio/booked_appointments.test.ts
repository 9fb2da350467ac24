import { expect, test } from 'vitest';
import { APPOINTMENT_STATUSES } from '#domain/appointment.ts';
import {
  parseAppointmentTime,
  toBlockedTimes,
  toBookedAppointments,
} from '#stores/studio/booked_appointments.ts';
import { createAppointment } from '#support/fake_schedule_api.ts';

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
