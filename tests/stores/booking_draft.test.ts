import { expect, test } from 'vitest';
import {
  clearBookingDraft,
  readBookingDraft,
  type SavedSlot,
  saveBookingDraft,
} from '#stores/booking_draft.ts';
import { BLANK_DETAILS } from '#stores/details.ts';

const EMPTY_DRAFT = { details: null, slot: null, requestIdempotencyKey: null };
const SAVED_SLOT: SavedSlot = {
  serviceId: 'flash',
  date: '2026-12-03',
  start: '2026-12-03T15:00:00Z',
  end: '2026-12-03T15:59:00Z',
  idempotencyKey: 'key-one',
  isOutcomeUnknown: true,
};

test('saving one part of a draft leaves the other parts unchanged', () => {
  saveBookingDraft('ana', { slot: SAVED_SLOT });
  saveBookingDraft('ana', { details: { ...BLANK_DETAILS, first_name: 'Rosa' } });
  saveBookingDraft('ana', { requestIdempotencyKey: 'key-two' });
  expect(readBookingDraft('ana')).toEqual({
    slot: SAVED_SLOT,
    details: { ...BLANK_DETAILS, first_name: 'Rosa' },
    requestIdempotencyKey: 'key-two',
  });
});

test('each artist has a separate booking draft', () => {
  saveBookingDraft('ana', { requestIdempotencyKey: 'key-one' });
  saveBookingDraft('bo', { requestIdempotencyKey: 'key-two' });
  clearBookingDraft('ana');
  expect([readBookingDraft('ana'), readBookingDraft('bo').requestIdempotencyKey]).toEqual([
    EMPTY_DRAFT,
    'key-two',
  ]);
});

test.each(['', '{', 'null', '7', '[]', '{"details":7,"slot":[],"requestIdempotencyKey":{}}'])(
  'a stored draft of %j reads as empty',
  (stored) => {
    sessionStorage.setItem('linework:draft:ana', stored);
    expect(readBookingDraft('ana')).toEqual(EMPTY_DRAFT);
  },
);

test('a stored slot with a missing field is dropped', () => {
  for (const part of ['serviceId', 'date', 'start', 'end', 'idempotencyKey']) {
    const stored = JSON.stringify({ slot: { ...SAVED_SLOT, [part]: undefined } });
    sessionStorage.setItem('linework:draft:ana', stored);
    expect(readBookingDraft('ana').slot, part).toBeNull();
  }
});
