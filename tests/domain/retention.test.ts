import { expect, test } from 'vitest';
import { DEFAULT_RETENTION, retentionCutoffs } from '#domain/retention.ts';
import { DAY_MS } from '#domain/time/time.ts';

const NOW = Date.UTC(2028, 2, 31, 12, 30);

test('cutoffs are calendar months and days before now', () => {
  expect(retentionCutoffs(DEFAULT_RETENTION, NOW)).toEqual({
    appointmentDetails: Date.UTC(2026, 2, 31, 12, 30),
    messages: Date.UTC(2027, 2, 31, 12, 30),
    mails: NOW - 180 * DAY_MS,
    paymentEvents: Date.UTC(2026, 2, 31, 12, 30),
  });
});

test('a month before the last day of a longer month is the last day', () => {
  const { messages } = retentionCutoffs({ ...DEFAULT_RETENTION, messagesMonths: 1 }, NOW);
  expect(messages).toBe(Date.UTC(2028, 1, 29, 12, 30));
});

test('0 keeps data for ever', () => {
  const forever = {
    ...{ appointmentDetailsMonths: 0, messagesMonths: 0, mailsDays: 0, paymentEventsMonths: 0 },
  };
  expect(retentionCutoffs(forever, NOW)).toEqual({
    ...{ appointmentDetails: null, messages: null, mails: null, paymentEvents: null },
  });
});
