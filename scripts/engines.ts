// The browsers in which `npm run test:engines` runs the tests of tests/engines.
import { existsSync, globSync } from 'node:fs';
import { delimiter, join } from 'node:path';

export const MINI_BROWSER = '/usr/lib/*/webkit2gtk-4.1/MiniBrowser';

/** The programs that each engine's tests start, with Debian's package of each. `ensureChromium` installs Chromium. */
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

/** A sentence about how to install the missing ones of these programs; undefined if none is missing. */
export function explainMissing(programs: Readonly<Record<string, string>>): string | undefined {
  const missing = Object.keys(programs).filter((program) => findProgram(program) === undefined);
  const packages = missing.map((program) => programs[program]).join(' ');
  return packages === '' ? undefined : `On Debian: apt-get install ${packages}`;
}

/** The path of a program: of a name in PATH, or the first file that matches an absolute pattern. */
export function findProgram(program: string): string | undefined {
  if (program.startsWith('/')) return globSync(program)[0];
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return folders.map((folder) => join(folder, program)).find((path) => existsSync(path));
}
