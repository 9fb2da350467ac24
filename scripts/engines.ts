// The browsers in which `npm run test:all` walks the journeys of tests/engines, and Debian's packages of them.
import { existsSync, globSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { findChromium } from './chromium.ts';

/** What an engine's tests start, by Debian's package. WebKitGTK's has the browser in its library's folder. */
const PROGRAMS = {
  chromium: {},
  webkit: {
    'webkit2gtk-driver': ['WebKitWebDriver', '/usr/lib/*/webkit2gtk-4.1/MiniBrowser'],
    xvfb: ['Xvfb'],
    openbox: ['openbox'],
  },
  firefox: { 'firefox-esr': ['firefox-esr'] },
  old_webkit: { 'wpewebkit-driver': ['WPEWebDriver'], cog: ['cog'] },
} as const satisfies Record<string, Readonly<Record<string, readonly string[]>>>;

export type Engine = keyof typeof PROGRAMS;
export const ENGINES = ['chromium', 'webkit', 'firefox', 'old_webkit'] as const;

/** Debian's packages that the engine's tests lack; none if they can run. */
export function missingPackages(engine: Engine): readonly string[] {
  if (engine === 'chromium') return findChromium() === undefined ? ['chromium'] : [];
  const packages: Readonly<Record<string, readonly string[]>> = PROGRAMS[engine];
  return Object.keys(packages).filter((name) =>
    packages[name]?.some((program) => findProgram(program) === undefined),
  );
}

/** Where a program is: one of PATH, or the first file that matches an absolute pattern. */
export function findProgram(program: string): string | undefined {
  if (program.startsWith('/')) return globSync(program)[0];
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return folders.map((folder) => join(folder, program)).find((path) => existsSync(path));
}
