import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  clearBookingDraft,
  readBookingDraft,
  type SavedSlot,
  saveBookingDraft,
} from '#stores/booking_draft.ts';
import { BLANK_DETAILS } from '#stores/details.ts';

const NOTHING = { details: null, slot: null, requestIdempotencyKey: null };
const PICK: SavedSlot = {
  serviceId: 'flash',
  date: '2026-12-03',
  start: '2026-12-03T15:00:00Z',
  end: '2026-12-03T15:59:00Z',
  idempotencyKey: 'key-one',
  isOutcomeUnknown: true,
};

beforeEach(() => sessionStorage.clear());
afterEach(() => vi.unstubAllGlobals());

test('a draft survives a reload, and its parts are saved one by one', () => {
  saveBookingDraft('ana', { slot: PICK });
  saveBookingDraft('ana', { details: { ...BLANK_DETAILS, first_name: 'Rosa' } });
  saveBookingDraft('ana', { requestIdempotencyKey: 'key-two' });
  expect(readBookingDraft('ana')).toEqual({
    slot: PICK,
    details: { ...BLANK_DETAILS, first_name: 'Rosa' },
    requestIdempotencyKey: 'key-two',
  });
});

test('each artist has a draft of their own', () => {
  saveBookingDraft('ana', { requestIdempotencyKey: 'key-one' });
  saveBookingDraft('bo', { requestIdempotencyKey: 'key-two' });
  clearBookingDraft('ana');
  expect([readBookingDraft('ana'), readBookingDraft('bo').requestIdempotencyKey]).toEqual([
    NOTHING,
    'key-two',
  ]);
});

test.each(['', '{', 'null', '7', '[]', '{"details":7,"slot":[],"requestIdempotencyKey":{}}'])(
  'a stored draft of %j counts as none',
  (stored) => {
    sessionStorage.setItem('linework:draft:ana', stored);
    expect(readBookingDraft('ana')).toEqual(NOTHING);
  },
);

test('a picked time without all its parts is dropped', () => {
  for (const part of ['serviceId', 'date', 'start', 'end', 'idempotencyKey']) {
    const stored = JSON.stringify({ slot: { ...PICK, [part]: undefined } });
    sessionStorage.setItem('linework:draft:ana', stored);
    expect(readBookingDraft('ana').slot, part).toBeNull();
  }
});

test('where storage is forbidden the form works without a draft', () => {
  const forbid = () => {
    throw new DOMException('Forbidden', 'SecurityError');
  };
  vi.stubGlobal('sessionStorage', { getItem: forbid, setItem: forbid, removeItem: forbid });
  saveBookingDraft('ana', { requestIdempotencyKey: 'key-one' });
  clearBookingDraft('ana');
  expect(readBookingDraft('ana')).toEqual(NOTHING);
});
