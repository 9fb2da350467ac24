import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { outDirOf, parseHost } from '../../scripts/adapter.ts';

test.each([undefined, ''])('ADAPTER=%o builds for Node, into dist', (name) => {
  expect(parseHost(name)).toBe('node');
  expect(outDirOf(parseHost(name))).toBe('dist');
});

const CHOICES = 'node, node-standalone, cloudflare, netlify, vercel';

test.each(['node-standalone', 'cloudflare', 'netlify', 'vercel'])(
  'ADAPTER=%s builds into its own folder',
  (name) => {
    expect(outDirOf(parseHost(name))).toBe(`dist-${name}`);
  },
);

test.each([
  ['start', 'foo', `ADAPTER must be one of ${CHOICES}, and not foo.`],
  [
    'start',
    'cloudflare',
    'ADAPTER=cloudflare is only for `npm run build`: unset it, or serve that build as docs/deploy.md says.',
  ],
])(
  'npm run %s refuses ADAPTER=%s with one sentence and exit code 1',
  (script, ADAPTER, sentence) => {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [join(import.meta.dirname, `../../scripts/${script}.ts`)],
      { env: { ...process.env, ADAPTER }, encoding: 'utf8' },
    );
    expect({ status, stdout, stderr }).toEqual({ status: 1, stdout: '', stderr: `${sentence}\n` });
  },
);
