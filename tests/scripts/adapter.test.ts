import { expect, test } from 'vitest';
import { outDirOf, parseHost } from '../../scripts/adapter.ts';

test.each([undefined, ''])('ADAPTER=%o builds for Node, into dist', (name) => {
  expect(parseHost(name)).toBe('node');
  expect(outDirOf(parseHost(name))).toBe('dist');
});

test.each(['cloudflare', 'netlify', 'vercel'])('ADAPTER=%s builds into its own folder', (name) => {
  expect(outDirOf(parseHost(name))).toBe(`dist-${name}`);
});

test('an unknown ADAPTER is refused with the list of known ones', () => {
  expect(() => parseHost('deno')).toThrow(
    'ADAPTER must be one of node, cloudflare, netlify, vercel, and not deno.',
  );
});
