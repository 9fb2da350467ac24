import type { OutgoingMail } from '#contract/mail.ts';
import type { MailKind } from '#domain/mail/mail.ts';
import { formatDuration } from '#domain/time/duration.ts';

export const MAIL_LABELS: Record<MailKind, string> = {
  reminder: 'Reminder',
  request_received: 'Receipt of the request',
  hold: 'Confirmation link',
  offer: 'Offer of a time',
  booked: 'Booking confirmation',
  moved: 'New time or place',
  declined: 'Declined request',
  cancelled: 'Cancellation',
  expired: 'Expiry notice',
  offer_ended: 'Expiry notice',
  email_change_link: 'Link to change the email',
  new_request: 'New request',
  new_booking: 'New booking',
  offer_lapsed: 'Expiry notice',
  offer_declined: 'Declined offer',
  client_cancelled: 'Cancellation',
  client_moved: 'New time',
  links: 'Links to their appointments',
  contact_message: 'Message from your page',
  data_requested: 'A client’s request about their data',
  welcome: 'Welcome',
  prove_email: 'Confirmation of your email',
  password_recovery: 'Way back into your account',
  recovery_link_created: 'Link to choose a new password',
  password_changed: 'Changed password',
  new_browser_login: 'Login from a new browser',
  email_change_requested: 'Change of your email',
  email_changed: 'Changed email',
  email_change_undone: 'Undone change of your email',
  email_taken_back: 'Email changed back',
  public_email_changed: 'Another email on your page',
  passkey_added: 'Added passkey',
  passkey_removed: 'Removed passkey',
  export_ready: 'Export of your data',
  account_deleted: 'Deleted account',
  booking_alarm: 'Warning of unusually many bookings',
  payment_failed: 'Failed payment',
  subscription_ended: 'Ended subscription',
};

/** The mail's kind and recipient: 'Booking confirmation to Rosa', 'Reminder to Rosa, 3 days ahead'. */
export function formatMailTitle(mail: OutgoingMail, clientName: string): string {
  const { kind, recipient, hours_ahead } = mail;
  const lead = hours_ahead === null ? '' : `, ${formatReminderLead(hours_ahead)} ahead`;
  return `${MAIL_LABELS[kind]} to ${recipient === 'client' ? clientName : 'you'}${lead}`;
}

/** How long before the appointment a reminder is sent: '1 week', '3 days', '24 hours'. */
export function formatReminderLead(hours: number): string {
  // Clearer than "1 day before", which could be any hour of the day.
  return hours === 24 ? '24 hours' : formatDuration(hours * 60);
}
