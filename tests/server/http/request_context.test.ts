import { describe, expect, test } from 'vitest';
import {
  createRequestContext,
  findRequest,
  requestIdOf,
  runInRequest,
} from '#server/http/request_context.ts';

describe('the id of a request', () => {
  test.each([
    ['a UUID', '0b2c6c4e-6f0a-4d3e-9a55-0c9f2f6e8f10'],
    ['32 hexadecimal digits', '4bf92f3577b34da6a3ce929d0e0e4736'],
    ['of Cloudflare', '8c1b2a3d4e5f6789-FRA'],
    ['of AWS', 'Root=1-67891233-abcdef012345678912345678'],
    ['with 128 characters', 'x'.repeat(128)],
  ])('is that of the proxy: %s', (_, given) => {
    expect(requestIdOf(given)).toBe(given);
  });

  test.each([
    ['none', undefined],
    ['an empty one', ''],
    ['one of 7 characters', 'x'.repeat(7)],
    ['one of 129 characters', 'x'.repeat(129)],
    ['an email address', 'rosa@example.com'],
    ['one with a line break', 'request-1\nforged line'],
    ['one with a line break at its end', 'request-1\n'],
    ['one with quotes', '"request-1"'],
    ['one of two headers', 'request-1, request-2'],
    ['one with letters beyond ASCII', 'préférée-1'],
  ])('is a new one in place of %s', (_, given) => {
    expect(requestIdOf(given)).toMatch(/^[0-9a-f]{10}-[0-9a-z]+$/);
  });

  test('is used once', () => {
    const ids = Array.from({ length: 1000 }, () => requestIdOf(undefined));
    expect(new Set(ids).size).toBe(1000);
  });
});

test('code finds the request that it serves, also after other requests have begun, and none otherwise', async () => {
  const serve = (id: string) =>
    runInRequest(createRequestContext(id), async () => {
      await new Promise(setImmediate);
      return findRequest()?.id;
    });
  const ids = ['request-1', 'request-2'];
  expect(await Promise.all(ids.map(serve))).toEqual(ids);
  expect(findRequest()).toBeUndefined();
});
