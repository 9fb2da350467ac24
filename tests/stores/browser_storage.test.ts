import { expect, test, vi } from 'vitest';
import { localItems, sessionItems } from '#stores/browser_storage.ts';

test('a value that JSON cannot represent is not stored', () => {
  sessionItems.setJson('name', { a: 1 });
  sessionItems.setJson('name', { a: 1n });
  expect(sessionItems.getJson('name')).toEqual({ a: 1 });
});

test('an item that all tabs share can be stored, read and removed', () => {
  localItems.setJson('name', { a: 1 });
  expect(localItems.getJson('name')).toEqual({ a: 1 });
  localStorage.setItem('name', '{');
  expect(localItems.getJson('name')).toBeNull();
  localItems.setJson('name', null);
  expect(localStorage.getItem('name')).toBeNull();
});

const throwForbidden = () => {
  throw new DOMException('Forbidden', 'SecurityError');
};

test.each([
  // As in Firefox with `dom.storage.enabled` off.
  ['off', null],
  ['forbidden', { getItem: throwForbidden, setItem: throwForbidden, removeItem: throwForbidden }],
])('where the storage is %s, items read as null and writing does nothing', (_, storage) => {
  vi.stubGlobal('sessionStorage', storage);
  vi.stubGlobal('localStorage', storage);
  sessionItems.setText('name', 'Ana');
  sessionItems.setText('name', null);
  expect(sessionItems.getText('name')).toBeNull();
  expect(sessionItems.getJson('name')).toBeNull();
  localItems.setJson('name', { a: 1 });
  localItems.setJson('name', null);
  expect(localItems.getJson('name')).toBeNull();
});
