// The browsers in which `npm run test:engines` walks the journeys of tests/engines, and Debian's packages of them.
import { existsSync, globSync } from 'node:fs';
import { delimiter, join } from 'node:path';

export const MINI_BROWSER = '/usr/lib/*/webkit2gtk-4.1/MiniBrowser';

/** The programs that each engine's tests start, and Debian's packages of them. Chromium installs itself. */
export const ENGINES = {
  chromium: {},
  webkit: {
    WebKitWebDriver: 'webkit2gtk-driver',
    [MINI_BROWSER]: 'libwebkit2gtk-4.1-0',
    Xvfb: 'xvfb',
    openbox: 'openbox',
  },
  firefox: { 'firefox-esr': 'firefox-esr' },
  old_webkit: { WPEWebDriver: 'wpewebkit-driver', cog: 'cog' },
};

/** How to install the programs that are missing; undefined if all are there. */
export function explainMissing(programs: Readonly<Record<string, string>>): string | undefined {
  const missing = Object.keys(programs).filter((program) => findProgram(program) === undefined);
  const packages = missing.map((program) => programs[program]).join(' ');
  return packages === '' ? undefined : `On Debian: apt-get install ${packages}`;
}

/** Where a program is: one of PATH, or the first file that matches an absolute pattern. */
export function findProgram(program: string): string | undefined {
  if (program.startsWith('/')) return globSync(program)[0];
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return folders.map((folder) => join(folder, program)).find((path) => existsSync(path));
}
