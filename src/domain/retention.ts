/** How long personal data are kept. Longer is the operator's choice, by settings. */
import { addMonths, midnightUtc } from './time/calendar_date.ts';
import { DAY_MS, type Instant, utcDateAt } from './time/time.ts';

/** How long each kind of data is kept; 0 keeps it for ever. */
export interface Retention {
  /** After the end of an appointment: the client's details for it, and both sides' texts. */
  readonly appointmentDetailsMonths: number;
  /** Messages from the contact form, after their arrival. */
  readonly messagesMonths: number;
  /** Mails, after they were sent or given up. */
  readonly mailsDays: number;
  /** Events of the payment provider, after their arrival. */
  readonly paymentEventsMonths: number;
}

/** The environment variable of each time. */
export const RETENTION_SETTINGS = {
  appointmentDetailsMonths: 'RETAIN_APPOINTMENT_DETAILS_MONTHS',
  messagesMonths: 'RETAIN_MESSAGES_MONTHS',
  mailsDays: 'RETAIN_MAILS_DAYS',
  paymentEventsMonths: 'RETAIN_PAYMENT_EVENTS_MONTHS',
} as const satisfies Record<keyof Retention, string>;

export const DEFAULT_RETENTION: Retention = {
  appointmentDetailsMonths: 24,
  messagesMonths: 12,
  mailsDays: 180,
  paymentEventsMonths: 24,
};

/** Data from before these instants are deleted; null keeps all. Months are those of the calendar in UTC. */
export function retentionCutoffs(retention: Retention, now: Instant) {
  const { appointmentDetailsMonths, messagesMonths, mailsDays, paymentEventsMonths } = retention;
  return {
    appointmentDetails: monthsBefore(now, appointmentDetailsMonths),
    messages: monthsBefore(now, messagesMonths),
    mails: mailsDays === 0 ? null : now - mailsDays * DAY_MS,
    paymentEvents: monthsBefore(now, paymentEventsMonths),
  };
}

/** The same day and time some months earlier, in a shorter month its last day; null for 0 months. */
function monthsBefore(now: Instant, months: number): Instant | null {
  if (months === 0) return null;
  return midnightUtc(addMonths(utcDateAt(now), -months)) + (now % DAY_MS);
}
