import { expect, test } from 'vitest';
import type { OutgoingMail } from '#contract/mail.ts';
import { formatMailTitle } from '#islands/studio/mails/labels.ts';
import { createSentMail } from '#support/browser_mail_log.ts';

test('the title of a mail has its kind and its recipient', () => {
  const title = (parts: Partial<OutgoingMail>) =>
    formatMailTitle(createSentMail('one', parts), 'Rosa');
  expect(title({})).toBe('Booking confirmation to Rosa');
  expect(title({ kind: 'new_booking', recipient: 'artist' })).toBe('New booking to you');
  const reminderTitle = (hours_ahead: number) => title({ kind: 'reminder', hours_ahead });
  expect([24, 72, 168, 2].map(reminderTitle)).toEqual([
    'Reminder to Rosa, 24 hours ahead',
    'Reminder to Rosa, 3 days ahead',
    'Reminder to Rosa, 1 week ahead',
    'Reminder to Rosa, 2 hours ahead',
  ]);
});
