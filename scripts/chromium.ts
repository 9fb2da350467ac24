import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { findProgram } from './engines.ts';

/** The command of Playwright, as a script of Node. */
export const PLAYWRIGHT = join(import.meta.dirname, '../node_modules/@playwright/test/cli.js');

/** The names of Debian's programs. The headless shell has no windows, so it needs less processor time for a test. */
const EXECUTABLE_NAMES = ['chromium-headless-shell', 'chromium'];

/** The path of Chromium: Playwright's own, else CHROMIUM_PATH, else the system's; undefined if there is none. */
export function findChromium(): string | undefined {
  const known = [chromium.executablePath(), process.env['CHROMIUM_PATH']];
  return [...known, ...EXECUTABLE_NAMES.map(findProgram)].find(
    (path) => path !== undefined && existsSync(path),
  );
}

/** The path of Chromium, which is installed if there is none. */
export function ensureChromium(): string {
  const found = findChromium();
  if (found !== undefined) return found;
  console.log('There is no Chromium yet: installing one …');
  installChromium();
  const installed = findChromium();
  if (installed === undefined)
    throw new Error('Chromium could not be installed. Set CHROMIUM_PATH to one of your own.');
  return installed;
}

function installChromium(): void {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const options = { stdio: 'inherit', env } as const;
  if (process.getuid?.() === 0 && existsSync('/etc/debian_version')) {
    execFileSync('/usr/bin/apt-get', ['update'], options);
    execFileSync('/usr/bin/apt-get', ['install', '-y', 'chromium-headless-shell'], options);
  } else {
    execFileSync(process.execPath, [PLAYWRIGHT, 'install', 'chromium'], options);
  }
}
