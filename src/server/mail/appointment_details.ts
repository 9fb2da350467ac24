/** Labelled lines about an appointment, for mails. */

import {
  BODY_LOCATION_LABELS,
  TATTOO_SIZE_LABELS,
} from '#domain/appointments/appointment_labels.ts';
import type { AppointmentSnapshot } from '#domain/mail/mail.ts';
import { formatMoney } from '#domain/money/money.ts';
import { formatPrice } from '#domain/money/price.ts';
import { startOfAgreedTime } from '#domain/studio/agreed_time.ts';
import { withoutLinks } from '#domain/text/link_text.ts';
import { formatDayWithYear, formatShortDay, formatTime } from '#domain/time/format_time.ts';
import { formatTimeRangeWithZone, formatTimeWithZone } from '#domain/time/format_time_with_zone.ts';
import { type Instant, MINUTE_MS } from '#domain/time/time.ts';
import type { DetailLine, NoticeTrust } from './mail_content.ts';

/** 'Tue, Dec 1, 2026 at 10:00 AM' in the studio's time zone; null when no time is set. */
export function formatStart({ time, studio }: AppointmentSnapshot): string | null {
  return time && formatInstant(time.start, studio.time_zone);
}

function formatInstant(instant: Instant, zone: string): string {
  return `${formatShortDay(instant, zone)} at ${formatTime(instant, zone)}`;
}

/** The locale of amounts in mails, whose words are English: that of their readers is not known. */
const MAIL_LOCALE = 'en-US';

/** The time in the studio's zone, the start before a move, the service, the design and the price. */
export function timeDetails(appointment: AppointmentSnapshot): DetailLine[] {
  const { time, service, design, price } = appointment;
  const zone = appointment.studio.time_zone;
  const details: DetailLine[] = [];
  if (time !== null) {
    const { start, end } = time;
    // `end` is the instant after the appointment; `formatTimeRangeWithZone` takes the last minute.
    const hours = formatTimeRangeWithZone(start, end - MINUTE_MS, zone);
    details.push(['When', [formatDayWithYear(start, zone), hours]]);
  }
  const before = formatBefore(appointment);
  if (before !== null) details.push(['Before', [before]]);
  if (service !== null) details.push(['Service', [service]]);
  if (design !== null) details.push(['Design', [design]]);
  if (price) details.push(['Price', [formatPrice(price, MAIL_LOCALE)]]);
  return details;
}

/** The start before a move, or on the studio's clocks before a new zone or new rules; null if the client knows it. */
function formatBefore({ time, movedFrom, studio, studioChange }: AppointmentSnapshot) {
  const start = movedFrom ?? time?.start ?? null;
  if (studioChange?.hasNewZone && start !== null) {
    const { agreed, zoneBefore: zone } = studioChange;
    const known = agreed === undefined ? start : startOfAgreedTime(zone, agreed);
    return formatTimeWithZone(known, zone);
  }
  if (studioChange?.hasNewRules) {
    const { agreed, kept } = studioChange;
    if (agreed === undefined || kept === 'clock_times') return null;
    // Formats the agreed time as it is: in UTC, no zone changes it.
    return formatInstant(Date.parse(`${agreed}Z`), 'UTC');
  }
  return movedFrom === null ? null : formatInstant(movedFrom, studio.time_zone);
}

/** The deposit and the policy at the time of the booking. Clients whom the artist may not know get no links in it. */
export function termsDetails(
  { deposit, bookingPolicy }: AppointmentSnapshot,
  { isKnownToArtist }: NoticeTrust,
): DetailLine[] {
  const details: DetailLine[] = [];
  if (deposit) details.push(['Deposit', [formatMoney(deposit, MAIL_LOCALE)]]);
  if (bookingPolicy) {
    const lines = bookingPolicy.split('\n');
    details.push(['Policy', isKnownToArtist ? lines : lines.map(withoutLinks)]);
  }
  return details;
}

/** The place on the body and the size, where the client named them. */
export function tattooDetails({ location, size }: AppointmentSnapshot): DetailLine[] {
  const details: DetailLine[] = [];
  if (location !== null) details.push(['On the body', [BODY_LOCATION_LABELS[location]]]);
  if (size !== null) details.push(['Size', [TATTOO_SIZE_LABELS[size]]]);
  return details;
}
