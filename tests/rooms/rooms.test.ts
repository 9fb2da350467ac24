import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { cp, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { openFolder } from '#support/folder.ts';
import { generateFiles } from '../../scripts/format.ts';
import { forbiddenImports } from '../../scripts/room_imports.ts';
import { ROOMS } from '../../scripts/rooms.ts';

const SCRIPT = join(import.meta.dirname, '../../scripts/room_imports.ts');

/** Examples of what a file must not import, written by hand to test the list of rooms. */
const FORBIDDEN: Record<string, string[]> = {
  'src/domain/a.ts': ['#contract/design.ts', 'zod/mini', 'node:fs', '../page.ts', 'tldts2'],
  'src/contract/a.ts': ['#client/http.ts', '../server/http/app.ts', 'altcha-lib'],
  'src/cache/a.ts': ['#client/http.ts', '../server/http/app.ts', 'node:fs'],
  'src/client/a.ts': ['#stores/booking.ts', '../islands/browser.ts', 'nanostores'],
  'src/stores/a.ts': ['#islands/browser.ts', '#server/http/app.ts', 'react', 'altcha-lib'],
  'src/stores/studio/a.ts': ['../../islands/browser.ts', '../../client/http.ts'],
  'src/islands/booking/a.tsx': ['#layouts/BaseLayout.astro', '#cache/policy.ts', 'node:fs'],
  'src/islands/studio/calendar/a.tsx': ['../../../site_settings.ts', '../../../server/http/app.ts'],
  'src/components/A.astro': ['#client/http.ts', '#islands/browser.ts', '../stores/booking.ts'],
  'src/layouts/A.astro': [
    '#client/http.ts',
    '../client/http.ts',
    '#server/http/app.ts',
    '../a.svg',
  ],
  'src/pages/a.astro': [
    '#server/http/app.ts',
    '../server/http/app.ts',
    '#stores/booking.ts',
    'node:fs',
  ],
  'src/pages/[username]/confirmation/[appointmentId]/a.ts': ['#server/http/app.ts'],
  'src/a.ts': [
    './server/http/app.ts',
    '#server/http/app.ts',
    '#stores/booking.ts',
    './client/http.ts',
  ],
  'src/server/api/a.ts': [
    '#server/database/connect.ts',
    '#domain/booking/availability.ts',
    '../http/app.ts',
  ],
  'src/server/operations/a.ts': ['#server/images/sharp_picture_encoder.ts', '../api/route.ts'],
  'src/server/operations/mail/a.ts': ['../accounts/login.ts', './../accounts/login.ts'],
  'src/server/operations/change.ts': ['./mail/notify.ts'],
  'src/server/jobs/a.ts': ['../operations/accounts/login.ts', '#server/api/route.ts'],
  'src/server/database/a.ts': [
    '#server/images/image_store.ts',
    '#contract/design.ts',
    '../http/app.ts',
  ],
  'src/server/database/bundled/a.ts': [
    '../../settings/config.ts',
    '../../operations/accounts/login.ts',
  ],
  'src/server/cache/a.ts': ['#server/operations/accounts/login.ts', '../database/clients.ts'],
  'src/server/cache/cdn/a.ts': ['../../settings/config.ts', '#contract/design.ts'],
  'src/server/mail/a.ts': [
    '#server/operations/mail/notify.ts',
    '../settings/config.ts',
    '../../mail.css',
  ],
  'src/server/payments/a.ts': ['#server/operations/payments/billing.ts', '#contract/billing.ts'],
  'src/server/doctor/a.ts': ['#server/operations/appointments/booking.ts', '../settings/config.ts'],
  'src/server/backup/a.ts': [
    '#server/images/s3_store.ts',
    '#server/jobs/queue.ts',
    '../settings/config.ts',
  ],
  'src/server/api_docs/a.ts': ['#server/operations/accounts/login.ts', '../api/route.ts'],
  'src/server/settings/a.ts': ['#server/http/app.ts', '../operations/change.ts'],
  'src/server/log/a.ts': ['#server/operations/change.ts', '../http/request_context.ts'],
  'src/server/http/a.ts': ['#server/images/s3_store.ts', '../api/routes.ts', '#demo/seed.ts'],
  'src/server/a.ts': ['../client/http.ts', '#client/http.ts', '#stores/booking.ts', '../page.ts'],
  'demo/a.ts': ['#server/http/app.ts', '../src/server/http/app.ts', '#client/http.ts'],
  'src/server/metrics/a.ts': [
    '#server/metrics/../settings/config.ts',
    '#server/settings/config.ts',
    './../settings/config.ts',
  ],
  'src/server/images/a.ts': ['#server/database/connect.ts', '../operations/accounts/login.ts'],
};

/** Some of what it may. `npm run check:rooms` checks all the imports that there are. */
const ALLOWED: Record<string, string[]> = {
  'src/domain/booking/a.ts': [
    '../time/time.ts',
    '#domain/time/time.ts',
    'date-fns-tz/formatInTimeZone',
  ],
  'src/islands/booking/a.tsx': ['../browser.ts', '#stores/booking.ts', 'react'],
  'src/pages/[username]/confirmation/[appointmentId]/a.ts': ['../../../_artist.ts', 'ics'],
  'src/layouts/A.astro': ['../site_settings.ts', '../styles/public.css?url', './Base.astro'],
  'src/server/doctor/a.ts': [
    './finding.ts',
    '#server/images/s3_store.ts',
    '#server/settings/config.ts',
  ],
  'src/server/metrics/a.ts': ['./metrics.ts', '#domain/mail/mail.ts', 'prom-client', 'node:http'],
  'src/server/a.ts': ['./api/route.ts', '#server/http/app.ts', '../../scripts/node_version.js'],
  'demo/a.ts': ['./art.ts', '#server/operations/catalogue/designs.ts', 'node:fs'],
};

/** The findings of the linter with the project's settings, as `rule file`. */
async function lint(files: Readonly<Record<string, string>>): Promise<Set<string>> {
  const folder = await openFolder();
  for (const file of ['biome.json', 'package.json']) await cp(file, join(folder, file));
  for (const [file, code] of Object.entries(files)) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), file.endsWith('.astro') ? `---\n${code}---\n` : code);
  }
  const { stdout } = spawnSync(
    resolve('node_modules/.bin/biome'),
    ['lint', '--vcs-enabled=false', '--max-diagnostics=none', '--reporter=github', '.'],
    { cwd: folder, encoding: 'utf8' },
  );
  const found = stdout.matchAll(/title=lint\/\w+\/(\w+),file=([^,]+)/g);
  return new Set(
    [...found].map(([, rule, file = '']) => `${rule} ${relative(folder, resolve(folder, file))}`),
  );
}

/** The forbidden imports of a file, as `line module`. */
function forbiddenIn(file: string, code: string): string[] {
  return forbiddenImports(file, code).map(
    ({ line, message }) => `${line} ${message.slice(0, message.indexOf(': '))}`,
  );
}

/** A file with nothing but imports, one on each line. */
function importing(file: string, modules: readonly string[]): string {
  const code = modules.map((module) => `import '${module}';\n`).join('');
  return file.endsWith('.astro') ? `---\n${code}---\n` : code;
}

test.each(Object.entries(FORBIDDEN))('%s must not import %j', (file, modules) => {
  expect(forbiddenIn(file, importing(file, modules))).toEqual(
    modules.map((module, index) => `${index + (file.endsWith('.astro') ? 2 : 1)} ${module}`),
  );
});

test.each(Object.entries(ALLOWED))('%s may import %j', (file, modules) => {
  expect(forbiddenIn(file, importing(file, modules))).toEqual([]);
});

test('types, exports from, imports at run time and in types count as imports', () => {
  const code = `import type { A } from '#server/a.ts';
export * from '#server/b.ts';
export type { B } from '#server/c.ts';
export const load = () => [import('#server/d.ts'), import(\`#server/e.ts\`)];
import required = require('#server/f.ts');
export type C = import('#server/g.ts').C;
export const text = "import '#server/h.ts'";
`;
  expect(forbiddenIn('src/domain/a.ts', code)).toEqual([
    '1 #server/a.ts',
    '2 #server/b.ts',
    '3 #server/c.ts',
    '4 #server/d.ts',
    '4 #server/e.ts',
    '5 #server/f.ts',
    '6 #server/g.ts',
  ]);
});

test('the scripts of an Astro page are checked, with the lines of the page', () => {
  const code = `---
import '#server/a.ts';
---
<p>import '#server/b.ts';</p>
<script>
  import '#server/c.ts';
</script>
`;
  expect(forbiddenIn('src/pages/a.astro', code)).toEqual(['2 #server/a.ts', '6 #server/c.ts']);
});

test('every room of the list has examples here', () => {
  const tested = new Set(Object.keys(FORBIDDEN).map((file) => dirname(file)));
  expect(ROOMS.map(({ folder }) => folder).filter((folder) => !tested.has(folder))).toEqual([
    // Its subfolders have examples.
    'src/islands',
  ]);
});

test('the check fails for a forbidden import and for a file without a room, and names the rule', async () => {
  const folder = await openFolder();
  const files = [
    'src/client/booking/a.tsx',
    'src/domain/a.ts',
    'src/images/a.ts',
    'src/server/api_docs/a.js',
    'demo/a.ts',
    'src/pages/[username]/a.astro',
  ];
  for (const file of files) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), importing(file, ['#client/http.ts']));
  }
  const run = spawnSync(process.execPath, [SCRIPT], { cwd: folder, encoding: 'utf8' });
  expect(run.status).toBe(1);
  const found = run.stdout.split('\n').filter((line) => line);
  expect(found.map((line) => line.split('  ')[0])).toEqual([
    'demo/a.ts:1',
    'src/domain/a.ts:1',
    'src/images/a.ts:1',
    'src/server/api_docs/a.js:1',
  ]);
  expect(found[1]).toBe(
    'src/domain/a.ts:1  #client/http.ts: domain may import itself (packages: country-to-currency, date-fns-tz, papaparse, tldts), other rooms by name (#…). See docs/architecture.md.',
  );
  expect(found[2]).toBe('src/images/a.ts:1  the file is in no room of scripts/rooms.ts');
});

test('every folder and file in the list exists', () => {
  const paths = ROOMS.flatMap(({ folder, imports }) => [
    folder,
    ...imports.map((name) => (existsSync(name) ? name : join('src', name))),
  ]);
  expect(paths.filter((path) => !existsSync(path))).toEqual([]);
});

/** A zone in an option of `Intl`, or an IANA name from an answer that is given to a function about times. */
const NAMED_ZONE = /timeZone\s*[:=,}](?!\s*['"]UTC)|(?:format\w*|At|WallTime)\([^(){}]*time_zone/;

test('browsers name no time zone but UTC, and get no data of zones with the scripts', () => {
  const files = globSync('src/{client,islands,stores}/**/*.{ts,tsx}');
  expect(files.filter((file) => NAMED_ZONE.test(readFileSync(file, 'utf8')))).toEqual([]);
  const code = (zone: string) =>
    `import { resolveWallTime } from '#domain/time/wall_clock.ts'; resolveWallTime('${zone}', '2027-01-13', 0)`;
  const [utc, berlin] = ['UTC', 'Europe/Berlin'].map((zone) =>
    spawnSync(
      process.execPath,
      ['--conditions=browser', '--input-type=module', '--eval', code(zone)],
      { encoding: 'utf8' },
    ),
  );
  expect([utc?.status, berlin?.status]).toEqual([0, 1]);
  expect(berlin?.stderr).toContain('Only the server knows the offsets of Europe/Berlin');
});

test('the linter reports import cycles, also of types, of aliases (#…) and of Astro files', async () => {
  const cycles: Record<string, string> = {
    'src/domain/a.ts': "import { b } from './b.ts';\nexport const a = () => b;\n",
    'src/domain/b.ts': "import { a } from './a.ts';\nexport const b = () => a;\n",
    'src/stores/a.ts': "import type { B } from '#stores/b.ts';\nexport type A = B[];\n",
    'src/stores/b.ts': "import type { A } from '#stores/a.ts';\nexport type B = A[];\n",
    'src/components/A.astro': "import B from '#layouts/B.astro';\n",
    'src/layouts/B.astro': "import A from '#components/A.astro';\n",
  };
  const found = await lint({
    ...cycles,
    'src/domain/c.ts': "import { a } from './a.ts';\nexport const c = a;\n",
  });
  const inCycle = [...found].filter((finding) => finding.startsWith('noImportCycles'));
  expect(inCycle.toSorted()).toEqual(
    Object.keys(cycles)
      .map((file) => `noImportCycles ${file}`)
      .toSorted(),
  );
});

test.each([...generateFiles()])(
  '%s matches what it is generated from (npm run format)',
  (path, text) => {
    expect(readFileSync(path, 'utf8')).toBe(text);
  },
);
