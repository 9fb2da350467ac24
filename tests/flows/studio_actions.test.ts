import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ROUTES } from '#server/api/routes.ts';

/** How a mistake is mended. `none` is for calls that change nothing that the artist has. */
const WAYS = ['undo', 'correct', 'asks', 'none'];
/** A call with nothing to mend. A new one needs a reason that holds for every artist. */
const NOTHING_TO_MEND = [
  'POST /login/test-token',
  'POST /users/me/messages/read',
  'POST /users/me/prove-email',
];

interface Row {
  readonly call: string;
  readonly way: string;
  readonly how: string;
}

const ROWS: readonly Row[] = readFileSync('docs/studio-actions.md', 'utf8')
  .split('\n')
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .flatMap(([, call = '', , way = '', how = '']) =>
    /^`[A-Z]+ \//.test(call)
      ? [{ call: call.replaceAll('`', ''), way: way.replaceAll('`', ''), how }]
      : [],
  );

const ALL_CALLS = ROUTES.map(({ method, path }) => `${method.toUpperCase()} ${path}`);
const STUDIO_CALLS = ROUTES.filter(
  ({ access, method }) => access === 'artist' && method.toUpperCase() !== 'GET',
).map(({ method, path }) => `${method.toUpperCase()} ${path}`);

test('every call by which an artist changes something says how a mistake is mended', () => {
  const listed = new Set(ROWS.map(({ call }) => call));
  expect([...listed].toSorted()).toEqual(STUDIO_CALLS.toSorted());
});

test('every row names undo, correct or asks, and only known calls have nothing to mend', () => {
  expect(ROWS.filter(({ way, how }) => !WAYS.includes(way) || how === '')).toEqual([]);
  const none = ROWS.filter(({ way }) => way === 'none').map(({ call }) => call);
  expect(none.toSorted()).toEqual(NOTHING_TO_MEND);
});

test('a correction names a call of the API', () => {
  for (const { call, way, how } of ROWS) {
    const named = [...how.matchAll(/`([A-Z]+ \/[^`]*)`/g)].map(([, name]) => name);
    if (way === 'correct') expect(named, call).not.toEqual([]);
    for (const name of named) expect(ALL_CALLS, call).toContain(name);
  }
});
