import { expect, test } from 'vitest';
import { areSameFields, type MergedFields, mergeFields } from '#domain/client_merge.ts';

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
  const other = { ...ROSA, email: 'r@example.com', first_name: 'R.', notes: 'Latex.' };
  expect(mergeFields(ROSA, other)).toEqual({ ...ROSA, notes: 'Mornings.\n\nLatex.' });
});

test('each field makes a difference', () => {
  expect(areSameFields(ROSA, { ...ROSA })).toBe(true);
  for (const name of ['email', 'first_name', 'last_name', 'pronouns', 'phone_number'] as const)
    expect(areSameFields(ROSA, { ...ROSA, [name]: null }), name).toBe(false);
  expect(areSameFields(ROSA, { ...ROSA, preferred_contact: 'email' })).toBe(false);
  expect(areSameFields(ROSA, { ...ROSA, notes: '' })).toBe(false);
});
