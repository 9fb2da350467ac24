import { expect, test, vi } from 'vitest';
import {
  getLocalJson,
  getSessionItem,
  getSessionJson,
  setLocalJson,
  setSessionItem,
  setSessionJson,
} from '#stores/browser_storage.ts';

test('a value that JSON cannot represent is not stored', () => {
  setSessionJson('name', { a: 1 });
  setSessionJson('name', { a: 1n });
  expect(getSessionJson('name')).toEqual({ a: 1 });
});

test('an item that all tabs share can be stored, read and removed', () => {
  setLocalJson('name', { a: 1 });
  expect(getLocalJson('name')).toEqual({ a: 1 });
  localStorage.setItem('name', '{');
  expect(getLocalJson('name')).toBeNull();
  setLocalJson('name', null);
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
  setSessionItem('name', 'Ana');
  setSessionItem('name', null);
  expect(getSessionItem('name')).toBeNull();
  expect(getSessionJson('name')).toBeNull();
  setLocalJson('name', { a: 1 });
  setLocalJson('name', null);
  expect(getLocalJson('name')).toBeNull();
});
