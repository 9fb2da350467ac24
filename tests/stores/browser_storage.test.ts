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

test('without access to the storage items read as null and writing does nothing', () => {
  const throwForbidden = () => {
    throw new DOMException('Forbidden', 'SecurityError');
  };
  const forbidden = {
    getItem: throwForbidden,
    setItem: throwForbidden,
    removeItem: throwForbidden,
  };
  vi.stubGlobal('sessionStorage', forbidden);
  vi.stubGlobal('localStorage', forbidden);
  sessionItems.setText('name', 'Ana');
  sessionItems.setText('name', null);
  expect(sessionItems.getText('name')).toBeNull();
  expect(sessionItems.getJson('name')).toBeNull();
  localItems.setJson('name', { a: 1 });
  localItems.setJson('name', null);
  expect(localItems.getJson('name')).toBeNull();
});
