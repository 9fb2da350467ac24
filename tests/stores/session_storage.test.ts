import { afterEach, expect, test, vi } from 'vitest';
import {
  getSessionItem,
  getSessionJson,
  setSessionItem,
  setSessionJson,
} from '#stores/session_storage.ts';

afterEach(() => {
  vi.restoreAllMocks();
  sessionStorage.clear();
});

test('an item can be stored, read and removed', () => {
  setSessionItem('name', '{"a":1}');
  expect(getSessionItem('name')).toBe('{"a":1}');
  expect(getSessionJson('name')).toEqual({ a: 1 });
  setSessionItem('name', null);
  expect(getSessionItem('name')).toBeNull();
  expect(getSessionJson('name')).toBeNull();
});

test('a value that JSON cannot represent is not stored', () => {
  setSessionJson('name', { a: 1 });
  setSessionJson('name', { a: 1n });
  expect(getSessionJson('name')).toEqual({ a: 1 });
});

test('an item that is not JSON reads as null', () => {
  setSessionItem('name', '{');
  expect(getSessionJson('name')).toBeNull();
});

test('without access to sessionStorage items read as null and writing does nothing', () => {
  const throwForbidden = () => {
    throw new DOMException('Forbidden', 'SecurityError');
  };
  vi.spyOn(Storage.prototype, 'getItem').mockImplementation(throwForbidden);
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(throwForbidden);
  vi.spyOn(Storage.prototype, 'removeItem').mockImplementation(throwForbidden);
  setSessionItem('name', 'Ana');
  setSessionItem('name', null);
  expect(getSessionItem('name')).toBeNull();
  expect(getSessionJson('name')).toBeNull();
});
