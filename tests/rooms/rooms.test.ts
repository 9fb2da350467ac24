import { spawnSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, extname, join, relative, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

/** The README's table of rooms: what each may import, and what it must not. */
const ROOMS: Record<string, { may: string[]; mustNot: string[] }> = {
  'src/domain/a.ts': {
    may: ['./time.ts', '#domain/time.ts'],
    mustNot: [
      '#contract/design.ts',
      '../contract/design.ts',
      '#server/app.ts',
      'zod/mini',
      'node:fs',
    ],
  },
  'src/contract/a.ts': {
    may: ['./common.ts', '#domain/time.ts', 'zod/mini'],
    mustNot: ['#client/http.ts', '#server/app.ts', '../server/app.ts', 'ky', 'node:fs'],
  },
  'src/client/a.ts': {
    may: ['./http.ts', '#contract/design.ts', '#domain/time.ts', 'ky'],
    mustNot: ['#stores/booking.ts', '#server/app.ts', '../islands/hydrated.ts', 'nanostores'],
  },
  'src/stores/a.ts': {
    may: ['./toasts.ts', '#client/http.ts', '#contract/design.ts', '#domain/time.ts', 'nanostores'],
    mustNot: ['#islands/hydrated.ts', '#server/app.ts', 'react', 'ky'],
  },
  'src/islands/booking/a.tsx': {
    may: [
      '../hydrated.ts',
      '#stores/booking.ts',
      '#client/http.ts',
      '#contract/design.ts',
      'react',
    ],
    mustNot: [
      '#server/app.ts',
      '../../server/app.ts',
      '#layouts/Page.astro',
      '../../pages/_artist.ts',
    ],
  },
  'src/components/A.astro': {
    may: ['./Note.astro', '#layouts/Page.astro', '#contract/design.ts', '#domain/time.ts'],
    mustNot: ['#client/http.ts', '#server/app.ts', '#islands/hydrated.ts', '../stores/booking.ts'],
  },
  'src/layouts/A.astro': {
    may: ['./Page.astro', '#components/Note.astro', '#contract/design.ts'],
    mustNot: ['#client/http.ts', '../client/http.ts', '#server/app.ts'],
  },
  'src/pages/a.astro': {
    may: [
      '#client/http.ts',
      '#layouts/Page.astro',
      '#components/Note.astro',
      '#islands/hydrated.ts',
    ],
    mustNot: ['#server/app.ts', '../server/app.ts', '#stores/booking.ts'],
  },
  'src/server/api/a.ts': {
    may: ['./route.ts', '#contract/design.ts', '#domain/refusal.ts', '#server/operations/login.ts'],
    mustNot: [
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
      '#server/images/store.ts',
    ],
    mustNot: ['#server/api/route.ts', '../api/route.ts', '#server/app.ts', '#client/http.ts'],
  },
  'src/server/database/a.ts': {
    may: ['./connect.ts', '#domain/time.ts', '#server/images/store.ts'],
    mustNot: [
      '#server/operations/login.ts',
      '../operations/login.ts',
      '#contract/design.ts',
      '#server/app.ts',
    ],
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

const CASES: Case[] = Object.entries(ROOMS).flatMap(([example, { may, mustNot }]) =>
  [...may, ...mustNot].map((imported, index) => ({
    room: dirname(example),
    imported,
    allowed: index < may.length,
    file: join(dirname(example), `case_${index}${extname(example)}`),
  })),
);

/** The files in which the linter, with the project's own settings, refuses the import. */
async function refusedFiles(): Promise<Set<string>> {
  const folder = await mkdtemp(join(tmpdir(), 'linework-rooms-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await cp('biome.json', join(folder, 'biome.json'));
  for (const { file, imported } of CASES) {
    const code = `import { one } from '${imported}';\nexport const two = one;\n`;
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), file.endsWith('.astro') ? `---\n${code}---\n` : code);
  }
  const { stdout } = spawnSync(
    resolve('node_modules/.bin/biome'),
    ['lint', '--vcs-enabled=false', '--max-diagnostics=none', '--reporter=github', '.'],
    { cwd: folder, encoding: 'utf8' },
  );
  const refused = stdout.matchAll(/title=lint\/style\/noRestrictedImports,file=([^,]+)/g);
  return new Set([...refused].map(([, file = '']) => relative(folder, resolve(folder, file))));
}

test('a forbidden import fails the check, and no other does', async () => {
  const refused = await refusedFiles();
  const said = CASES.map(({ room, imported, file }) => `${room}: ${imported} ${refused.has(file)}`);
  expect(said).toEqual(
    CASES.map(({ room, imported, allowed }) => `${room}: ${imported} ${!allowed}`),
  );
});
