import { afterEach, expect, test, vi } from 'vitest';
import {
  getLocalJson,
  getSessionItem,
  getSessionJson,
  setLocalJson,
  setSessionItem,
  setSessionJson,
} from '#stores/browser_storage.ts';

afterEach(() => {
  vi.restoreAllMocks();
  sessionStorage.clear();
  localStorage.clear();
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
  vi.spyOn(Storage.prototype, 'getItem').mockImplementation(throwForbidden);
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(throwForbidden);
  vi.spyOn(Storage.prototype, 'removeItem').mockImplementation(throwForbidden);
  setSessionItem('name', 'Ana');
  setSessionItem('name', null);
  expect(getSessionItem('name')).toBeNull();
  expect(getSessionJson('name')).toBeNull();
  setLocalJson('name', { a: 1 });
  setLocalJson('name', null);
  expect(getLocalJson('name')).toBeNull();
});
