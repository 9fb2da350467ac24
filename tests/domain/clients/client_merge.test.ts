import { expect, test } from 'vitest';
import {
  canUndoMerge,
  MERGE_UNDO_MS,
  type MergedFields,
  mergeFields,
} from '#domain/clients/client_merge.ts';

const NOTHING: MergedFields = {
  email: null,
  first_name: null,
  last_name: null,
  pronouns: null,
  phone_number: null,
  preferred_contact: null,
  notes: '',
};
const ROSA: MergedFields = {
  email: 'rosa@example.com',
  first_name: 'Rosa',
  last_name: 'Quint',
  pronouns: 'she/her',
  phone_number: '+12125550100',
  preferred_contact: 'text',
  notes: 'Mornings.',
};

test('a merge fills empty fields, and replaces none', () => {
  expect(mergeFields(NOTHING, ROSA)).toEqual(ROSA);
  expect(mergeFields(ROSA, NOTHING)).toEqual(ROSA);
  const other = { ...ROSA, email: 'r@example.com', notes: 'Latex.' };
  expect(mergeFields(ROSA, other)).toEqual({ ...ROSA, notes: 'Mornings.\n\nLatex.' });
});

test('the notes keep what the fields of the remaining client cannot', () => {
  const other = {
    ...ROSA,
    first_name: 'R.',
    pronouns: 'they/them',
    phone_number: '+4930123456',
    notes: '',
  };
  expect(mergeFields(ROSA, other)).toEqual({
    ...ROSA,
    notes: 'Mornings.\n\nAlso: R. Quint, they/them, +4930123456',
  });
});

test('a merge can be undone for an hour, while no field of the remaining client has changed', () => {
  const merge = { mergedAt: 0, after: ROSA };
  expect(canUndoMerge(merge, { ...ROSA }, MERGE_UNDO_MS)).toBe(true);
  expect(canUndoMerge(merge, ROSA, MERGE_UNDO_MS + 1)).toBe(false);
  for (const name of ['email', 'first_name', 'last_name', 'pronouns', 'phone_number'] as const)
    expect(canUndoMerge(merge, { ...ROSA, [name]: null }, 0), name).toBe(false);
  expect(canUndoMerge(merge, { ...ROSA, preferred_contact: 'email' }, 0)).toBe(false);
  expect(canUndoMerge(merge, { ...ROSA, notes: '' }, 0)).toBe(false);
});
