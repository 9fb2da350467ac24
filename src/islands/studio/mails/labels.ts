import type { OutgoingMail } from '#contract/mail.ts';
import { formatDuration } from '#domain/duration.ts';
import type { MailKind } from '#domain/mail.ts';

const MAIL_LABELS: Record<Exclude<MailKind, 'reminder'>, string> = {
  request_received: 'Receipt of the request',
  hold: 'Confirmation link',
  offer: 'Offer of a time',
  booked: 'Booking confirmation',
  moved: 'New time or place',
  declined: 'Declined request',
  cancelled: 'Cancellation',
  expired: 'Expiry notice',
  new_request: 'New request',
  new_booking: 'New booking',
  offer_lapsed: 'Expiry notice',
  contact_message: 'Message from your page',
  welcome: 'Welcome',
  password_recovery: 'Way back into your account',
  password_changed: 'Changed password',
  payment_failed: 'Failed payment',
  subscription_ended: 'Ended subscription',
};

/** What a mail was about and whom it was for: 'Booking confirmation to Rosa'. */
export function formatMailTitle(
  { kind, recipient, hours_ahead }: OutgoingMail,
  client: string,
): string {
  const to = recipient === 'client' ? client : 'you';
  if (kind !== 'reminder') return `${MAIL_LABELS[kind]} to ${to}`;
  return hours_ahead === null
    ? `Reminder to ${to}`
    : `Reminder to ${to}, ${formatReminderLead(hours_ahead)} ahead`;
}

/** How far ahead a reminder comes: '1 week', '3 days', '24 hours'. */
export function formatReminderLead(hours: number): string {
  // Of one day people say its hours.
  return hours === 24 ? '24 hours' : formatDuration(hours * 60);
}
