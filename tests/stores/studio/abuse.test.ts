import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { BookingAlarm } from '#contract/abuse.ts';
import { startSession } from '#stores/session.ts';
import { block, cancelBatch, dismissAlarm, unblock } from '#stores/studio/abuse.ts';
import { $toasts } from '#stores/toasts.ts';
import { type ApiCall, problemResponse, stubApi } from '#support/fake_api.ts';
import { toastTexts } from '#support/fake_schedule_api.ts';

const ALARM: BookingAlarm = {
  id: 'alarm',
  since: '2026-12-01T12:00:00Z',
  raised_at: '2026-12-01T12:10:00Z',
  bookings: 24,
  confirmed: 20,
  networks: 24,
};
const PEST = {
  id: 'pest',
  kind: 'email',
  value: 'pest@example.com',
  created_at: '2026-12-01T12:00:00Z',
} as const;

let answer: (call: ApiCall) => Response;
let calls: string[];

beforeEach(() => {
  $toasts.set([]);
  calls = [];
  startSession('token');
  stubApi((call) => {
    calls.push(`${call.method} ${call.path}`);
    return answer(call);
  });
});
afterEach(() => vi.unstubAllGlobals());

test('a refusal is shown', async () => {
  answer = () => problemResponse(503, 'Not now');
  await cancelBatch(ALARM);
  expect(toastTexts()).toEqual(['Something went wrong. Not now']);
});

test('an alarm that was answered in another window says so', async () => {
  answer = () => problemResponse(404, 'Not found');
  await cancelBatch(ALARM);
  expect(toastTexts()).toEqual(['Already done. You have answered this warning in another window.']);
});

test('blocking offers Undo, which unblocks the same sender', async () => {
  answer = ({ method }) =>
    method === 'POST' ? Response.json(PEST, { status: 201 }) : new Response(null, { status: 204 });
  await block({ email: PEST.value });
  const undo = $toasts.get()[0]?.action;
  expect(undo?.label).toBe('Undo');
  undo?.run();
  await vi.waitFor(() => expect(toastTexts()).toHaveLength(2));
  expect(calls).toEqual(['POST users/me/blocked', 'DELETE users/me/blocked/pest']);
});

test('dismissing an alarm, blocking and unblocking each make one call', async () => {
  answer = ({ path }) =>
    path === 'users/me/blocked'
      ? Response.json(PEST, { status: 201 })
      : new Response(null, { status: 204 });
  await dismissAlarm(ALARM);
  await block({ email: PEST.value });
  await unblock(PEST);
  expect(calls).toEqual([
    'POST users/me/booking-alarm/alarm/dismiss',
    'POST users/me/blocked',
    'DELETE users/me/blocked/pest',
  ]);
  expect(toastTexts()).toEqual([
    'Kept. You are warned again when more come in.',
    'Blocked. You get no more bookings or messages from pest@example.com.',
    'Unblocked. pest@example.com can book and write to you again.',
  ]);
});
