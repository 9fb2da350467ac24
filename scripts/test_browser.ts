// `npm run test:browser`: the browser tests; arguments go to Playwright, as in `-- -g keyboard`.
// `--all` adds the tests of other hosts.
import './node_version.js';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { ensureChromium } from './chromium.ts';

const PLAYWRIGHT = join(import.meta.dirname, '../node_modules/@playwright/test/cli.js');
/** The project of playwright.config.ts that runs on what `npm start` serves. */
const DEFAULT_PROJECT = ['--project=phone'];

const words = process.argv.slice(2);
const isAll = words.includes('--all');
const playwrightArguments = words.filter((word) => word !== '--all');
const hasProject = isAll || words.some((word) => word.startsWith('--project'));

ensureChromium();
const child = spawn(
  process.execPath,
  [PLAYWRIGHT, 'test', ...(hasProject ? [] : DEFAULT_PROJECT), ...playwrightArguments],
  {
    stdio: 'inherit',
    env: { ...process.env, ...(isAll && { LINEWORK_TEST_ALL: '1' }) },
  },
);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
child.on('close', (code) => {
  process.exitCode = code ?? 1;
});
