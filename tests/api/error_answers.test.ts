import { expect, test } from 'vitest';
import { RateLimited } from '#domain/refusal.ts';
import type { ErrorAnswer } from '#server/api/error_answers.ts';
import {
  overlapAnswer,
  REFUSAL_REASONS,
  rateLimitedAnswer,
  reasonToLog,
  refusalAnswer,
  toErrorResponse,
  validationAnswer,
} from '#server/api/error_answers.ts';

const bodyOf = (answer: ErrorAnswer): Promise<unknown> => toErrorResponse(answer).json();

test('the body of every refusal has a text for people and its reason for programs', async () => {
  expect(REFUSAL_REASONS).toContain('time_taken');
  for (const reason of REFUSAL_REASONS)
    expect(await bodyOf(refusalAnswer(reason))).toStrictEqual({
      detail: expect.any(String),
      reason,
    });
  const overlap = overlapAnswer('clock_times_overlap', ['one', 'another']);
  const limited = rateLimitedAnswer(new RateLimited(60));
  expect([await bodyOf(overlap), await bodyOf(limited)]).toMatchObject([
    { reason: 'clock_times_overlap', detail: expect.stringContaining('one and another') },
    { reason: 'rate_limited' },
  ]);
});

test('the bodies of invalid input and of a bug have no reason; the log names both', async () => {
  const items = [{ type: 'value', loc: ['body'], msg: 'Too long' }];
  const invalid = validationAnswer(items);
  const failed = { status: 500, detail: 'Something went wrong.', headers: {} };
  expect(await bodyOf(invalid)).toStrictEqual({ detail: items });
  expect(await bodyOf(failed)).toStrictEqual({ detail: 'Something went wrong.' });
  expect([invalid, failed, refusalAnswer('busy')].map(reasonToLog)).toEqual([
    ...['invalid_input', 'failed', 'busy'],
  ]);
});
