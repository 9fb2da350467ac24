// `npm run test:browser`: the browser tests; arguments go to Playwright, as in `-- -g keyboard`.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { ensureChromium } from './chromium.ts';

const PLAYWRIGHT = join(import.meta.dirname, '../node_modules/@playwright/test/cli.js');

ensureChromium();
const child = spawn(process.execPath, [PLAYWRIGHT, 'test', ...process.argv.slice(2)], {
  stdio: 'inherit',
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
child.on('close', (code) => {
  process.exitCode = code ?? 1;
});
