import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { cp, mkdir, writeFile } from 'node:fs/promises';
import { dirname, extname, join, matchesGlob, relative, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { openFolder } from '#support/folder.ts';
import { generateFiles } from '../../scripts/format.ts';
import { ROOMS } from '../../scripts/rooms.ts';

/** Examples of what a file must not import, written by hand to test the list of rooms. */
const FORBIDDEN: Record<string, string[]> = {
  'src/domain/a.ts': ['#contract/design.ts', 'zod/mini', 'node:fs', '../page.ts'],
  'src/contract/a.ts': ['#client/http.ts', '../server/app.ts', 'altcha-lib'],
  'src/cache/a.ts': ['#client/http.ts', '../server/app.ts', 'node:fs'],
  'src/client/a.ts': ['#stores/booking.ts', '../islands/browser.ts', 'nanostores'],
  'src/stores/a.ts': ['#islands/browser.ts', '#server/app.ts', 'react', 'altcha-lib'],
  'src/stores/studio/a.ts': ['../../islands/browser.ts', '../../client/http.ts'],
  'src/islands/booking/a.tsx': ['#layouts/BaseLayout.astro', '#cache/policy.ts', 'node:fs'],
  'src/islands/studio/calendar/a.tsx': ['../../../site_settings.ts', '../../../server/app.ts'],
  'src/components/A.astro': ['#client/http.ts', '#islands/browser.ts', '../stores/booking.ts'],
  'src/layouts/A.astro': ['#client/http.ts', '../client/http.ts', '#server/app.ts'],
  'src/pages/a.astro': ['#server/app.ts', '../server/app.ts', '#stores/booking.ts', 'node:fs'],
  'src/pages/[username]/confirmation/[appointmentId]/a.ts': ['#server/app.ts'],
  'src/a.ts': ['./server/app.ts', '#server/app.ts', '#stores/booking.ts', './client/http.ts'],
  'src/server/api/a.ts': ['#server/database/connect.ts', '#domain/availability.ts', '../app.ts'],
  'src/server/operations/a.ts': ['#server/images/sharp_picture_encoder.ts', '../api/route.ts'],
  'src/server/jobs/a.ts': ['../operations/login.ts', '#server/api/route.ts'],
  'src/server/database/a.ts': ['#server/images/image_store.ts', '#contract/design.ts', '../app.ts'],
  'src/server/database/bundled/a.ts': ['../../config.ts', '../../operations/login.ts'],
  'src/server/cache/a.ts': ['#server/operations/accounts/login.ts', '../database/clients.ts'],
  'src/server/cache/cdn/a.ts': ['../../config.ts', '#contract/design.ts'],
  'src/server/mail/a.ts': ['#server/operations/mail/notify.ts', '../config.ts'],
  'src/server/payments/a.ts': ['#server/operations/payments/billing.ts', '#contract/billing.ts'],
  'src/server/doctor/a.ts': ['#server/operations/booking/booking.ts', '../config.ts'],
  'src/server/backup/a.ts': ['#server/images/s3_store.ts', '#server/jobs/queue.ts', '../config.ts'],
  'src/server/api_docs/a.ts': ['#server/operations/accounts/login.ts', '../api/route.ts'],
  'src/server/a.ts': ['../client/http.ts', '#client/http.ts', '#stores/booking.ts'],
  'demo/a.ts': ['#server/app.ts', '../src/server/app.ts', '#client/http.ts'],
  'src/server/metrics/a.ts': ['#server/database/connect.ts', '../config.ts'],
  'src/server/images/a.ts': ['#server/database/connect.ts', '../operations/login.ts'],
};

/** Some of what it may. The linter checks all the imports that there are. */
const ALLOWED: Record<string, string[]> = {
  'src/domain/a.ts': ['./time.ts', '#domain/time.ts', 'date-fns-tz/formatInTimeZone'],
  'src/islands/booking/a.tsx': ['../browser.ts', '#stores/booking.ts', 'react'],
  'src/pages/[username]/confirmation/[appointmentId]/a.ts': ['../../../_artist.ts', 'ics'],
  'src/server/doctor/a.ts': ['./finding.ts', '#server/images/s3_store.ts', '#server/config.ts'],
  'src/server/metrics/a.ts': ['./metrics.ts', '#domain/mail.ts', 'prom-client', 'node:http'],
  'demo/a.ts': ['./art.ts', '#server/operations/studio/designs.ts', 'node:fs'],
};

interface Case {
  readonly room: string;
  readonly imported: string;
  readonly allowed: boolean;
  /** A file of that room with nothing but the import. */
  readonly file: string;
}

function listCases(examples: Readonly<Record<string, string[]>>, allowed: boolean): Case[] {
  return Object.entries(examples).flatMap(([example, imports]) =>
    imports.map((imported, index) => ({
      room: dirname(example),
      imported,
      allowed,
      file: join(dirname(example), `${allowed}_${index}${extname(example)}`),
    })),
  );
}

const CASES = [...listCases(ALLOWED, true), ...listCases(FORBIDDEN, false)];

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

test('the linter reports forbidden imports and no others', async () => {
  const found = await lint(
    Object.fromEntries(
      CASES.map(({ file, imported }) => [
        file,
        `import { one } from '${imported}';\nexport const two = one;\n`,
      ]),
    ),
  );
  const actual = CASES.map(
    ({ room, imported, file }) =>
      `${room}: ${imported} ${found.has(`noRestrictedImports ${file}`)}`,
  );
  expect(actual).toEqual(
    CASES.map(({ room, imported, allowed }) => `${room}: ${imported} ${!allowed}`),
  );
});

test('every room of the list has examples here', () => {
  const tested = new Set(CASES.map(({ room }) => room));
  expect(ROOMS.map(({ folder }) => folder).filter((folder) => !tested.has(folder))).toEqual([
    // Its subfolders have examples.
    'src/islands',
  ]);
});

test('every source file is in a room of the list', () => {
  const files = globSync('{src,demo}/**/*.{ts,tsx,astro}');
  const patterns = ROOMS.flatMap(({ folder, depth }) =>
    Array.from({ length: depth + 1 }, (_, level) => `${folder}${'/*'.repeat(level + 1)}`),
  );
  const withoutRoom = files.filter(
    (file) => !patterns.some((pattern) => matchesGlob(file, pattern)),
  );
  expect(withoutRoom).toEqual([]);
  expect(files.length).toBeGreaterThan(300);
});

test('every folder and file in the list exists', () => {
  const paths = ROOMS.flatMap(({ folder, imports }) => [
    folder,
    ...imports.map((name) => {
      if (name.startsWith('.')) return join(folder, name);
      return name === 'demo' ? name : join('src', name);
    }),
  ]);
  expect(paths.filter((path) => !existsSync(path))).toEqual([]);
});

/** A zone in an option of `Intl`, or an IANA name from an answer that is given to a function about times. */
const NAMED_ZONE = /timeZone\s*[:=,}](?!\s*['"]UTC)|(?:format\w*|At|WallTime)\([^(){}]*time_zone/;

test('browsers name no time zone but UTC, and get no data of zones with the scripts', () => {
  const files = globSync('src/{client,islands,stores}/**/*.{ts,tsx}');
  expect(files.filter((file) => NAMED_ZONE.test(readFileSync(file, 'utf8')))).toEqual([]);
  const code = (zone: string) =>
    `import { resolveWallTime } from '#domain/wall_clock.ts'; resolveWallTime('${zone}', '2027-01-13', 0)`;
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
    const parse = path.endsWith('.json') ? JSON.parse : String;
    expect(parse(readFileSync(path, 'utf8'))).toEqual(parse(text));
  },
);
