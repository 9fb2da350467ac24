import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { BLANK_DETAILS } from '#stores/details.ts';
import { type DraftPick, dropDraft, keepDraft, readDraft } from '#stores/draft.ts';

const NOTHING = { details: null, pick: null, requestKey: null };
const PICK: DraftPick = {
  serviceId: 'flash',
  date: '2026-12-03',
  start: '2026-12-03T15:00:00Z',
  end: '2026-12-03T15:59:00Z',
  key: 'key-one',
  unanswered: true,
};

beforeEach(() => sessionStorage.clear());
afterEach(() => vi.unstubAllGlobals());

test('a draft survives a reload, and its parts are saved one by one', () => {
  keepDraft('ana', { pick: PICK });
  keepDraft('ana', { details: { ...BLANK_DETAILS, first_name: 'Rosa' } });
  keepDraft('ana', { requestKey: 'key-two' });
  expect(readDraft('ana')).toEqual({
    pick: PICK,
    details: { ...BLANK_DETAILS, first_name: 'Rosa' },
    requestKey: 'key-two',
  });
});

test('each artist has a draft of their own', () => {
  keepDraft('ana', { requestKey: 'key-one' });
  keepDraft('bo', { requestKey: 'key-two' });
  dropDraft('ana');
  expect([readDraft('ana'), readDraft('bo').requestKey]).toEqual([NOTHING, 'key-two']);
});

test.each(['', '{', 'null', '7', '[]', '{"details":7,"pick":[],"requestKey":{}}'])(
  'a stored draft of %j counts as none',
  (stored) => {
    sessionStorage.setItem('linework:draft:ana', stored);
    expect(readDraft('ana')).toEqual(NOTHING);
  },
);

test('a picked time without all its parts is dropped', () => {
  for (const part of ['serviceId', 'date', 'start', 'end', 'key']) {
    const stored = JSON.stringify({ pick: { ...PICK, [part]: undefined } });
    sessionStorage.setItem('linework:draft:ana', stored);
    expect(readDraft('ana').pick, part).toBeNull();
  }
});

test('where storage is forbidden the form works without a draft', () => {
  const forbid = () => {
    throw new DOMException('Forbidden', 'SecurityError');
  };
  vi.stubGlobal('sessionStorage', { getItem: forbid, setItem: forbid, removeItem: forbid });
  keepDraft('ana', { requestKey: 'key-one' });
  dropDraft('ana');
  expect(readDraft('ana')).toEqual(NOTHING);
});
