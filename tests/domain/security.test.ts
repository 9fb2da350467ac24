import { expect, test } from 'vitest';
import { EMAIL_UNDO_MS, isUndoable } from '#domain/security.ts';
import { HOUR_MS } from '#domain/time.ts';

const NOW = Date.parse('2026-11-24T15:00:00Z');
const CHANGE = { canBeUndone: true, requestedAt: NOW, appliedAt: null, undoneAt: null };

test('a change of the email can be undone for seven days after it holds', () => {
  const appliedAt = NOW + HOUR_MS;
  const change = { ...CHANGE, appliedAt };
  expect(isUndoable(change, appliedAt + EMAIL_UNDO_MS - 1)).toBe(true);
  expect(isUndoable(change, appliedAt + EMAIL_UNDO_MS)).toBe(false);
});

test('a change that does not hold yet can be undone for seven days after it was asked for', () => {
  expect(isUndoable(CHANGE, NOW + EMAIL_UNDO_MS - 1)).toBe(true);
  expect(isUndoable(CHANGE, NOW + EMAIL_UNDO_MS)).toBe(false);
});

test('an undone change, and one away from an email that was not proven, cannot be undone', () => {
  expect(isUndoable({ ...CHANGE, undoneAt: NOW }, NOW)).toBe(false);
  expect(isUndoable({ ...CHANGE, canBeUndone: false }, NOW)).toBe(false);
});
