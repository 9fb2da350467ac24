import type { AppointmentStatus } from '#domain/appointment.ts';

/** The states that have a place on the calendar. */
export const CALENDAR_STATUSES = ['confirmed', 'held', 'offered', 'completed', 'no_show'] as const;

/** A word where there is little room; what is confirmed needs none. */
export const SHORT_STATUS_LABELS: Partial<Record<AppointmentStatus, string>> = {
  held: 'Not confirmed',
  offered: 'Offered',
  completed: 'Completed',
  no_show: 'Did not come',
};
