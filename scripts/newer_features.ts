// `npm run check:browsers`: built scripts and styles use only what the oldest supported browsers have
// (docs/decisions, 0072).
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Identifier, SupportStatement } from '@mdn/browser-compat-data';
import { ALLOWED_FEATURES } from './allowed_features.ts';
import { BROWSER_FLOORS, BROWSERS, type BrowserFloor, type PageGroup } from './browser_floors.ts';
import { buildIfChanged } from './build.ts';
import { featuresOfScript, featuresOfStyle, type UsedFeatures } from './used_features.ts';

/** A feature that one of the oldest supported browsers does not have. */
interface NewerFeature {
  readonly name: string;
  /** For each browser without it, the first version that has it, such as `firefox 119`. */
  readonly versions: readonly string[];
}

const ROOT = join(import.meta.dirname, '..');
const BUILD = join(ROOT, 'dist/current');
/** The built stylesheets that only the studio loads. */
const STUDIO_STYLES = /^(studio|StudioLayout|calendar|profile)\./;
/** The sources of scripts that only the studio loads. That of the landing page shows the studio's home. */
const STUDIO_SCRIPTS = /\/src\/(islands\/studio\/|pages\/index\.astro)/;

/**
 * The features in a `.js` or `.css` file that a browser of the floor does not have. A name with several
 * meanings, such as `.at`, counts as the oldest of them.
 */
function newerFeatures(file: string, code: string, floor: BrowserFloor): NewerFeature[] {
  let used: UsedFeatures;
  try {
    used = file.endsWith('.css') ? featuresOfStyle(code) : featuresOfScript(code);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return [{ name: 'syntax', versions: [`more than ES2022: ${error.message}`] }];
  }
  return [...used].flatMap(([name, meanings]) => {
    const versions = meanings
      .filter(({ owner }) => !owner || versionsAbove(floor, owner).length === 0)
      .map(({ feature, isExact = false }) => versionsAbove(floor, feature, isExact));
    const [first] = versions;
    return first && versions.every(({ length }) => length > 0) ? [{ name, versions: first }] : [];
  });
}

/**
 * The browsers of which the floor does not have a feature, with the first version that has it.
 * @param countsNever whether browsers that never had it count
 */
function versionsAbove(
  floor: BrowserFloor,
  { __compat }: Identifier,
  countsNever = true,
): string[] {
  if (!__compat) return [];
  return BROWSERS.flatMap((browser) => {
    const first = firstVersion(__compat.support[browser]);
    const counts = countsNever || first < Infinity;
    return counts && first > floor[browser] ? [`${browser} ${first}`] : [];
  });
}

/** The first version that has a feature, even in part, without a flag or prefix; `Infinity` if none has. */
export function firstVersion(support: SupportStatement | undefined): number {
  const versions = [support ?? []]
    .flat()
    .filter(({ flags, prefix, alternative_name: other }) => !flags && !prefix && !other)
    .map(({ version_added: version }) => Number.parseFloat(String(version).replace('≤', '')))
    .filter((version) => !Number.isNaN(version));
  return Math.min(Infinity, ...versions);
}

/** The scripts and styles of a build, inline scripts, and those of the API reference, which has the studio's floor. */
function listFiles(): { file: string; code: string; group: PageGroup }[] {
  const clientScripts = listClientScripts();
  const groupOf = (file: string): PageGroup => {
    const name = basename(file);
    if (name.endsWith('.css')) return STUDIO_STYLES.test(name) ? 'studio' : 'clients';
    return clientScripts.has(name) ? 'clients' : 'studio';
  };
  const built = globSync(join(BUILD, 'client/_astro/*.{js,css}'));
  const inline = globSync(join(ROOT, 'src/components/*.js'));
  const reference = globSync(join(ROOT, 'src/server/api_docs/*.{js,css}'));
  return [
    ...built.map((file) => ({ file, group: groupOf(file) })),
    ...inline.map((file) => ({ file, group: 'clients' as const })),
    ...reference.map((file) => ({ file, group: 'studio' as const })),
  ].map(({ file, group }) => ({ file: basename(file), code: readFileSync(file, 'utf8'), group }));
}

/** The names of the scripts that a page outside of the studio loads, with all that they import. */
function listClientScripts(): Set<string> {
  const manifest = readFileSync(join(BUILD, 'server/entry.mjs'), 'utf8');
  const found = new Set<string>();
  const addScript = (name: string) => {
    if (found.has(name)) return;
    found.add(name);
    const code = readFileSync(join(BUILD, 'client/_astro', name), 'utf8');
    for (const [, imported = ''] of code.matchAll(/["'`]\.\/([^"'`/]+\.js)["'`]/g))
      addScript(imported);
  };
  for (const [, source = '', name = ''] of manifest.matchAll(/"([^"]+)":"_astro\/([^"]+\.js)"/g))
    if (!STUDIO_SCRIPTS.test(source)) addScript(name);
  return found;
}

/** A line for each feature that is newer than the floor and not allowed, or allowed and not used. */
export function listProblems(
  files: readonly { file: string; code: string; group: PageGroup }[],
  allowed = ALLOWED_FEATURES,
): string[] {
  const unused = new Set(allowed);
  const lines = files.flatMap(({ file, code, group }) =>
    newerFeatures(file, code, BROWSER_FLOORS[group]).flatMap(({ name, versions }) => {
      const found = allowed.find((one) => one.name === name && (one.pages ?? group) === group);
      if (found) unused.delete(found);
      return found ? [] : [`${file} (${group}): ${name} needs ${versions.join(', ')}`];
    }),
  );
  return [...lines, ...[...unused].map(({ name }) => `${name} is allowed, but not used`)];
}

if (import.meta.main) {
  buildIfChanged();
  const lines = listProblems(listFiles());
  for (const line of lines) console.log(line);
  process.exitCode = lines.length > 0 ? 1 : 0;
}
