// `npm run test:browser`: runs the browser tests of `npm test`, which are those without the tag `@all`. Arguments go to
// Playwright, as in `-- -g keyboard`. Files named as arguments run with all their tests. `--all` runs all tests, also
// those of other hosts.
import { spawn } from 'node:child_process';
import { ensureChromium, PLAYWRIGHT } from './chromium.ts';

/** The project of playwright.config.ts that runs on what `npm start` serves. */
const DEFAULT_PROJECT = ['--project=phone'];

const words = process.argv.slice(2);
const isAll = words.includes('--all');
const playwrightArguments = words.filter((word) => word !== '--all');
const hasProject = isAll || words.some((word) => word.startsWith('--project'));
const namesFiles = words.some((word) => word.includes('.spec.ts'));

ensureChromium();
const child = spawn(
  process.execPath,
  [PLAYWRIGHT, 'test', ...(hasProject ? [] : DEFAULT_PROJECT), ...playwrightArguments],
  {
    stdio: 'inherit',
    env: { ...process.env, ...((isAll || namesFiles) && { LINEWORK_TEST_ALL: '1' }) },
  },
);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
child.on('close', (code) => {
  process.exitCode = code ?? 1;
});
