import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { TIME_TAKEN_TEXT } from '#contract/booking_refusals.ts';
import { undoOfMove } from '#stores/studio/move_undo.ts';
import { $toasts } from '#stores/toasts.ts';
import { problemResponse, stubApi } from '#support/fake_api.ts';
import { createAppointment, toastTexts } from '#support/fake_schedule_api.ts';

const ZONE = 'America/New_York';
const BEFORE = createAppointment({});
const MOVED = { ...BEFORE, start: '2026-12-04T15:00:00Z', end: '2026-12-04T15:59:00Z', version: 4 };

beforeEach(() => $toasts.set([]));
afterEach(() => vi.unstubAllGlobals());

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
