import { expect, test } from 'vitest';
import { buildFolder, hostOf } from '../../scripts/adapter.ts';

test.each([undefined, ''])('ADAPTER=%o builds for Node, into dist', (name) => {
  expect(hostOf(name)).toBe('node');
  expect(buildFolder(hostOf(name))).toBe('dist');
});

test.each(['cloudflare', 'netlify', 'vercel'])(
  'ADAPTER=%s builds into a folder of its own',
  (name) => {
    expect(buildFolder(hostOf(name))).toBe(`dist-${name}`);
  },
);

test('an unknown ADAPTER is refused with the list of known ones', () => {
  expect(() => hostOf('deno')).toThrow(
    'ADAPTER must be one of node, cloudflare, netlify, vercel, and not deno.',
  );
});
