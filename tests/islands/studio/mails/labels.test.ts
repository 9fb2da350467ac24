import { expect, test } from 'vitest';
import type { OutgoingMail } from '#contract/mail.ts';
import { formatMailTitle } from '#islands/studio/mails/labels.ts';
import { createSentMail } from '#support/browser_mail_log.ts';

test('a mail is named by what it says and whom it is for', () => {
  const title = (parts: Partial<OutgoingMail>) =>
    formatMailTitle(createSentMail('one', parts), 'Rosa');
  expect(title({})).toBe('Booking confirmation to Rosa');
  expect(title({ kind: 'new_booking', recipient: 'artist' })).toBe('New booking to you');
  const ahead = (hours_ahead: number) => title({ kind: 'reminder', hours_ahead });
  expect([24, 72, 168, 2].map(ahead)).toEqual([
    'Reminder to Rosa, 24 hours ahead',
    'Reminder to Rosa, 3 days ahead',
    'Reminder to Rosa, 1 week ahead',
    'Reminder to Rosa, 2 hours ahead',
  ]);
});
