import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { TIME_TAKEN_TEXT } from '#contract/booking_refusals.ts';
import { formatWhen, undoOfMove } from '#stores/studio/move_undo.ts';
import { $toasts } from '#stores/toasts.ts';
import { problemResponse, stubApi } from '#support/fake_api.ts';
import { createAppointment, toastTexts } from '#support/fake_schedule_api.ts';

const ZONE = 'America/New_York';
const BEFORE = createAppointment({});
const MOVED = { ...BEFORE, start: '2026-12-04T15:00:00Z', end: '2026-12-04T15:59:00Z', version: 4 };
const TIME_BEFORE = { start: BEFORE.start, end: BEFORE.end };

beforeEach(() => $toasts.set([]));
afterEach(() => vi.unstubAllGlobals());

test('Undo of a move sends the earlier time with the new version', async () => {
  const calls = stubApi(() => ({ ...BEFORE, version: 5 }));
  undoOfMove(BEFORE, MOVED, ZONE)?.run();
  await vi.waitFor(() =>
    expect(toastTexts()).toEqual([
      `Moved back. It is where it was: ${formatWhen(BEFORE, ZONE)}. Nobody is mailed.`,
    ]),
  );
  expect(calls[0]?.body).toEqual({ ...TIME_BEFORE, version: 4 });
});

test('Undo of a moved offer also restores its note', async () => {
  const calls = stubApi(() => BEFORE);
  for (const note of ['See you.', null])
    undoOfMove({ ...BEFORE, status: 'offered', note }, MOVED, ZONE)?.run();
  await vi.waitFor(() => expect(calls.filter(({ method }) => method === 'PATCH')).toHaveLength(2));
  expect(calls.map(({ body }) => body['note'])).toEqual(['See you.', '']);
});

test('an Undo that comes too late shows why', async () => {
  stubApi(({ method }) => (method === 'PATCH' ? problemResponse(409, TIME_TAKEN_TEXT) : MOVED));
  undoOfMove(BEFORE, MOVED, ZONE)?.run();
  await vi.waitFor(() => expect(toastTexts()[0]).toContain('Another appointment is in the way'));
});

test('an appointment without an earlier time has no Undo', () => {
  expect(undoOfMove({ ...BEFORE, start: null, end: null }, MOVED, ZONE)).toBeNull();
  expect(formatWhen({ ...BEFORE, start: null, end: null }, ZONE)).toBe('');
});
