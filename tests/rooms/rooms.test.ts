import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, extname, join, matchesGlob, relative, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { generateFiles } from '../../scripts/format.ts';
import { ROOMS } from '../../scripts/rooms.ts';

/** Examples of what a file may import and must not, written by hand to test the list of rooms. */
const EXAMPLES: Record<string, { may: string[]; mustNot: string[] }> = {
  'src/domain/a.ts': {
    may: ['./time.ts', '#domain/time.ts', 'date-fns-tz/formatInTimeZone'],
    mustNot: [
      '#contract/design.ts',
      '../contract/design.ts',
      '#server/app.ts',
      'zod/mini',
      'node:fs',
      '#cache/policy.ts',
      '../page.ts',
    ],
  },
  'src/contract/a.ts': {
    may: ['./common.ts', '#domain/time.ts', 'zod/mini'],
    mustNot: ['#client/http.ts', '#server/app.ts', '../server/app.ts', 'altcha-lib', 'node:fs'],
  },
  'src/cache/a.ts': {
    may: ['./policy.ts', '#domain/time.ts', 'astro'],
    mustNot: ['#client/http.ts', '../server/app.ts', '#server/cache/http_cache.ts', 'node:fs'],
  },
  'src/client/a.ts': {
    may: ['./http.ts', '#contract/design.ts', '#domain/time.ts', 'altcha-lib'],
    mustNot: ['#stores/booking.ts', '#server/app.ts', '../islands/hydrated.ts', 'nanostores'],
  },
  'src/stores/a.ts': {
    may: ['./toasts.ts', '#client/http.ts', '#contract/design.ts', '#domain/time.ts', 'nanostores'],
    mustNot: ['#islands/browser.ts', '#server/app.ts', 'react', 'altcha-lib'],
  },
  'src/stores/studio/a.ts': {
    may: ['../toasts.ts', './queries.ts', '#client/http.ts'],
    mustNot: ['../../islands/hydrated.ts', '../../client/http.ts'],
  },
  'src/islands/booking/a.tsx': {
    may: [
      '../hydrated.ts',
      '#stores/booking.ts',
      '#client/http.ts',
      '#contract/design.ts',
      'react',
      '../../styles/calendar.css',
    ],
    mustNot: [
      '#server/app.ts',
      '../../server/app.ts',
      '#layouts/BaseLayout.astro',
      '../../pages/_artist.ts',
      '#cache/policy.ts',
      'node:fs',
    ],
  },
  'src/islands/studio/calendar/a.tsx': {
    may: ['../../hydrated.ts', '../appointments/labels.ts', '../../../styles/studio.css?url'],
    mustNot: ['../../../settings.ts', '../../../server/app.ts'],
  },
  'src/components/A.astro': {
    may: ['./Note.astro', '#contract/design.ts', '#domain/time.ts'],
    mustNot: [
      '#layouts/BaseLayout.astro',
      '#client/http.ts',
      '#server/app.ts',
      '#islands/browser.ts',
      '../stores/booking.ts',
    ],
  },
  'src/layouts/A.astro': {
    may: [
      './BaseLayout.astro',
      '#components/MessageBox.astro',
      '#contract/design.ts',
      '../site_settings.ts',
      '../images/hero.svg?url',
      '../fonts/young-serif.woff2?url',
    ],
    mustNot: ['#client/http.ts', '../client/http.ts', '#server/app.ts', '#pages/_artist.ts'],
  },
  'src/pages/a.astro': {
    may: [
      '#client/http.ts',
      '#layouts/BaseLayout.astro',
      '#components/MessageBox.astro',
      '#islands/browser.ts',
      '#cache/page_policy.ts',
    ],
    mustNot: ['#server/app.ts', '../server/app.ts', '#stores/booking.ts', 'node:fs'],
  },
  'src/pages/[username]/confirmation/[appointmentId]/a.ts': {
    may: ['../../../_artist.ts', 'ics'],
    mustNot: ['../../../../server/app.ts', '#server/operations/booking.ts'],
  },
  'src/a.ts': {
    may: ['./settings.ts', '#client/http.ts', '#cache/page_policy.ts', 'astro:middleware'],
    mustNot: ['./server/app.ts', '#server/app.ts', '#stores/booking.ts', './client/http.ts'],
  },
  'src/server/api/a.ts': {
    may: [
      './route.ts',
      '#contract/design.ts',
      '#domain/refusal.ts',
      '#server/operations/login.ts',
      '#cache/policy.ts',
      'node:fs',
    ],
    mustNot: [
      '../operations/login.ts',
      '#domain/availability.ts',
      '#server/cache/http_cache.ts',
      '#demo/seed.ts',
      '#server/database/connect.ts',
      '../database/connect.ts',
      '#server/app.ts',
      '#client/http.ts',
    ],
  },
  'src/server/operations/a.ts': {
    may: [
      '#domain/time.ts',
      '#contract/design.ts',
      '#server/database/connect.ts',
      '#server/images/image_store.ts',
      '#server/jobs/jobs.ts',
    ],
    mustNot: [
      '#server/api/route.ts',
      '../api/route.ts',
      '#server/app.ts',
      '#client/http.ts',
      '#server/images/sharp_picture_encoder.ts',
      '#server/jobs/handlers.ts',
      '#server/cache/http_cache.ts',
    ],
  },
  'src/server/jobs/a.ts': {
    may: ['./jobs.ts', '#server/operations/minutely_tasks.ts', '#domain/refusal.ts', 'pg-boss'],
    mustNot: ['../operations/sweep.ts', '#server/api/route.ts', '#server/database/clients.ts'],
  },
  'src/server/database/a.ts': {
    may: ['./connect.ts', './bundled/home.ts', '#domain/time.ts', 'kysely'],
    mustNot: [
      '../app.ts',
      '#server/images/image_store.ts',
      '#server/cache/http_cache.ts',
      '#demo/seed.ts',
      '#server/operations/login.ts',
      '../operations/login.ts',
      '#contract/design.ts',
      '#server/app.ts',
    ],
  },
  'src/server/database/bundled/a.ts': {
    may: ['../connect.ts', './home.ts'],
    mustNot: ['../../config.ts', '../../operations/login.ts'],
  },
  'src/server/cache/a.ts': {
    may: ['./cdn/varnish.ts', '#cache/policy.ts', '#domain/time.ts', '#server/jobs/jobs.ts'],
    mustNot: ['#server/operations/login.ts', '../database/clients.ts', '#server/app.ts'],
  },
  'src/server/cache/cdn/a.ts': {
    may: ['../cache_key.ts', './cdn_adapter.ts'],
    mustNot: ['../../config.ts', '#contract/design.ts'],
  },
  'src/server/mail/a.ts': {
    may: ['./letter.ts', '#domain/mail.ts', 'nodemailer'],
    mustNot: ['#server/operations/notify.ts', '#server/database/mails.ts', '../config.ts'],
  },
  'src/server/payments/a.ts': {
    may: ['./provider.ts', '#domain/subscription.ts', 'stripe'],
    mustNot: ['#server/operations/billing.ts', '#contract/billing.ts'],
  },
  'src/server/doctor/a.ts': {
    may: [
      './finding.ts',
      '#server/database/clock.ts',
      '#server/images/s3_store.ts',
      '#server/mail/smtp_mailer.ts',
      '#server/config.ts',
      '#demo/demo_artists.ts',
      '#domain/one_line.ts',
    ],
    mustNot: ['#server/operations/booking.ts', '#server/app.ts', '../config.ts', '#client/http.ts'],
  },
  'src/server/backup/a.ts': {
    may: [
      './archive.ts',
      '#domain/erasure.ts',
      '#server/database/table_copy.ts',
      '#server/images/image_store.ts',
      '#server/jobs/stored_jobs.ts',
      'modern-tar',
      'node:fs/promises',
    ],
    mustNot: [
      '#server/operations/login.ts',
      '#server/images/s3_store.ts',
      '#server/jobs/queue.ts',
      '../config.ts',
      '#server/app.ts',
    ],
  },
  'src/server/api_docs/a.ts': {
    may: ['./page.ts', 'hono/html'],
    mustNot: ['#server/operations/login.ts', '../api/route.ts'],
  },
  'src/server/a.ts': {
    may: [
      './api/route.ts',
      '#server/operations/login.ts',
      '#domain/refusal.ts',
      '#demo/seed.ts',
      '../site_settings.ts',
    ],
    mustNot: ['../client/http.ts', '#client/http.ts', '#stores/booking.ts', '../middleware.ts'],
  },
  'demo/a.ts': {
    may: ['./art.ts', '#server/operations/designs.ts', '#server/database/artists.ts', 'node:fs'],
    mustNot: ['#server/app.ts', '../src/server/app.ts', '#client/http.ts', '#server/api/route.ts'],
  },
  'src/server/metrics/a.ts': {
    may: ['./metrics.ts', '#domain/mail.ts', 'prom-client', 'node:http'],
    mustNot: ['#server/database/connect.ts', '../config.ts', '#server/operations/context.ts'],
  },
  'src/server/images/a.ts': {
    may: ['./store.ts', '#domain/artwork.ts'],
    mustNot: ['#server/database/connect.ts', '../operations/login.ts', '#server/api/route.ts'],
  },
};

interface Case {
  readonly room: string;
  readonly imported: string;
  readonly allowed: boolean;
  /** A file of that room with nothing but the import. */
  readonly file: string;
}

const CASES: Case[] = Object.entries(EXAMPLES).flatMap(([example, { may, mustNot }]) =>
  [...may, ...mustNot].map((imported, index) => ({
    room: dirname(example),
    imported,
    allowed: index < may.length,
    file: join(dirname(example), `case_${index}${extname(example)}`),
  })),
);

/** The findings of the linter with the project's settings, as `rule file`. */
async function lint(files: Readonly<Record<string, string>>): Promise<Set<string>> {
  const folder = await mkdtemp(join(tmpdir(), 'linework-rooms-'));
  onTestFinished(() => rm(folder, { recursive: true }));
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
