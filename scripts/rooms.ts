// The list of rooms, from which `npm run format` writes the linter's rules for imports and a table of
// docs/architecture.md.
import { join } from 'node:path';
import * as z from 'zod/mini';

interface Room {
  /** Its files import each other by relative paths; others import them by `#` and the path below `src`. */
  readonly folder: string;
  /** How many levels of folders there are inside the folder. */
  readonly depth: number;
  /** Rooms, single files of rooms, and by its relative path a file that is in none or in `src`. */
  readonly imports: readonly string[];
  /** `any`: Node's own too. `site`: any but Node's own, and stylesheets, pictures and fonts. */
  readonly packages: readonly string[] | 'any' | 'site';
}

/** Every folder of source files, from the innermost to the server that opens all of them. */
export const ROOMS: readonly Room[] = [
  {
    folder: 'src/domain',
    depth: 0,
    imports: [],
    packages: ['country-to-currency', 'date-fns-tz', 'papaparse', 'tldts'],
  },
  { folder: 'src/contract', depth: 0, imports: ['domain'], packages: ['zod'] },
  { folder: 'src/cache', depth: 0, imports: ['domain'], packages: ['astro'] },
  {
    folder: 'src/client',
    depth: 0,
    imports: ['contract', 'domain'],
    packages: ['ky', 'zod', 'altcha-lib'],
  },
  {
    folder: 'src/stores',
    depth: 1,
    imports: ['client', 'contract', 'domain'],
    packages: ['nanostores', '@nanostores', '@simplewebauthn/browser'],
  },
  {
    folder: 'src/islands',
    depth: 2,
    imports: ['stores', 'client', 'contract', 'domain'],
    packages: 'site',
  },
  { folder: 'src/components', depth: 0, imports: ['contract', 'domain'], packages: 'site' },
  {
    folder: 'src/layouts',
    depth: 0,
    imports: ['components', 'contract', 'domain', '../site_settings.ts'],
    packages: 'site',
  },
  {
    folder: 'src/pages',
    depth: 3,
    imports: ['client', 'layouts', 'components', 'islands', 'contract', 'domain', 'cache'],
    packages: 'site',
  },
  // The middleware connects every page to the API.
  { folder: 'src', depth: 0, imports: ['client', 'domain', 'cache'], packages: 'site' },
  {
    folder: 'src/server/api',
    depth: 0,
    imports: [
      'contract',
      'cache',
      'server/operations',
      'domain/refusal.ts',
      // The text of a refusal that the domain words itself.
      'domain/duration.ts',
      'domain/foreign_post.ts',
      'domain/limits.ts',
      'domain/list_limits.ts',
      'domain/subscription.ts',
    ],
    packages: 'any',
  },
  {
    folder: 'src/server/operations',
    depth: 1,
    imports: [
      'domain',
      'contract',
      'cache',
      'server/database',
      // Interfaces of adapters and jobs.
      'server/images/share_card_renderer.ts',
      'server/images/picture_encoder.ts',
      'server/images/image_store.ts',
      'server/images/export_store.ts',
      'server/jobs/jobs.ts',
      'server/mail/mail_content.ts',
      'server/mail/mailer.ts',
      'server/payments/payment_provider.ts',
      'server/metrics/metrics.ts',
      'server/doctor/finding.ts',
      // Pure: a notice becomes a mail.
      'server/mail/create_mail.ts',
    ],
    packages: 'any',
  },
  {
    folder: 'src/server/jobs',
    depth: 0,
    imports: [
      'server/operations',
      'domain',
      // Handlers pass the database's clock to operations.
      'server/database/clock.ts',
      'server/cache/purge_retry.ts',
    ],
    packages: 'any',
  },
  { folder: 'src/server/database', depth: 1, imports: ['domain'], packages: 'any' },
  {
    folder: 'src/server/cache',
    depth: 1,
    imports: [
      'domain',
      'cache',
      // Invalidations travel over LISTEN/NOTIFY, with the position a replica must have reached.
      'server/database/connect.ts',
      'server/database/dedicated_connection.ts',
      'server/database/lsn.ts',
      // A purge that failed is tried again as a job.
      'server/jobs/jobs.ts',
      // The names of what the cache did.
      'server/metrics/metrics.ts',
    ],
    packages: 'any',
  },
  { folder: 'src/server/metrics', depth: 0, imports: ['domain'], packages: 'any' },
  { folder: 'src/server/mail', depth: 0, imports: ['domain', 'cache'], packages: 'any' },
  { folder: 'src/server/payments', depth: 0, imports: ['domain', 'cache'], packages: 'any' },
  { folder: 'src/server/images', depth: 0, imports: ['domain', 'cache'], packages: 'any' },
  {
    folder: 'src/server/backup',
    depth: 0,
    imports: [
      'domain',
      'server/database',
      'server/images/image_store.ts',
      // A restore writes the same files as the server.
      'server/images/disk_store.ts',
      'server/jobs/stored_jobs.ts',
    ],
    packages: 'any',
  },
  { folder: 'src/server/api_docs', depth: 0, imports: [], packages: 'any' },
  {
    folder: 'src/server/doctor',
    depth: 0,
    imports: [
      'domain',
      'demo',
      'server/database',
      'server/images',
      'server/mail',
      // The settings, and how proxies and health checks use them.
      'server/config.ts',
      'server/settings.ts',
      'server/ip_address.ts',
      'server/proxy_networks.ts',
      'server/service_id.ts',
    ],
    packages: 'any',
  },
  {
    folder: 'demo',
    depth: 0,
    // Its drawings are encoded once, as uploads are, and put into the store of images.
    imports: ['server/operations', 'server/database', 'server/images', 'domain'],
    packages: 'any',
  },
  {
    folder: 'src/server',
    depth: 0,
    imports: [
      'server',
      'domain',
      // The type of a transport.
      'contract/endpoint.ts',
      'cache',
      'demo',
      '../site_settings.ts',
      '../../scripts/node_version.js',
    ],
    packages: 'any',
  },
];

const Settings = z.looseObject({ overrides: z.array(z.looseObject({})) });
const ASSETS = ['../**/*.css', '../**/*.css\\?url', '../**/*.svg\\?url', '../**/*.woff2\\?url'];

/** The name by which a room is imported: `server/api` for `src/server/api`. */
function nameOf({ folder }: Room): string {
  return folder.replace(/^src\//, '');
}

/** The linter's overrides: for each room and each depth, the imports that it refuses. */
export function importRules(): object[] {
  return ROOMS.flatMap((room) =>
    Array.from({ length: room.depth + 1 }, (_, depth) => ({
      includes: [`${room.folder}${'/*'.repeat(depth + 1)}`],
      linter: {
        rules: {
          style: {
            noRestrictedImports: {
              level: 'error',
              options: {
                patterns: [
                  {
                    group: refusedImports(room, depth),
                    message: `${nameOf(room)} may import ${importsOf(room)} (packages: ${packagesOf(room)}), other rooms by name (#…). See docs/architecture.md.`,
                  },
                ],
              },
            },
          },
        },
      },
    })),
  );
}

/** The patterns of imports that are refused, as in a .gitignore: the last that matches decides. */
function refusedImports(room: Room, depth: number): string[] {
  const { imports, packages } = room;
  const allowed = [
    ...(Array.isArray(packages) ? packages.flatMap((name) => [name, `${name}/**`]) : []),
    `#${nameOf(room)}/**`,
    ...imports.map((name) =>
      name.startsWith('.') ? name : name.endsWith('.ts') ? `#${name}` : `#${name}/**`,
    ),
    ...(packages === 'site' ? ASSETS : []),
  ];
  return [
    ...(Array.isArray(packages) ? ['**', '!./**'] : ['#*/**']),
    ...(packages === 'site' ? ['node:*', 'node:*/**'] : []),
    // A relative path must not leave the room.
    '../**',
    './../**',
    '**/*/../**',
    // Nor enter a room that lies inside this one's folder, as all do in `src`.
    ...(depth === room.depth && !imports.includes(nameOf(room)) ? ['./*/**'] : []),
    ...(depth > 0 ? ['!../**', `${'../'.repeat(depth + 1)}**`] : []),
    ...allowed.map((pattern) => `!${pattern}`),
  ];
}

/** The rooms and files that a room may import, in words. */
function importsOf({ folder, imports }: Room): string {
  const names = imports.map((name) => (name.startsWith('.') ? join(folder, name) : name));
  return names.join(', ') || 'itself';
}

/** The packages that a room may import, in words. */
function packagesOf({ packages }: Room): string {
  if (packages === 'any') return 'any';
  if (packages === 'site') return "any but Node's own";
  return packages.join(', ') || 'none';
}

/** The rooms as a table in Markdown: one row for those that may import the same. */
export function importTable(): string {
  const rows = new Map<string, string[]>();
  for (const room of ROOMS) {
    const row = `${importsOf(room)} | ${packagesOf(room)}`;
    rows.set(row, [...(rows.get(row) ?? []), `\`${nameOf(room)}\``]);
  }
  return [
    '| Room | May import | Packages |',
    '|---|---|---|',
    ...[...rows].map(([row, rooms]) => `| ${rooms.join(', ')} | ${row} |`),
  ].join('\n');
}

/** The rules of `biome.json` with those for imports as the list has them. */
export function withImportRules(biome: string): object {
  const settings = Settings.parse(JSON.parse(biome));
  const others = settings.overrides.filter(
    (override) => !JSON.stringify(override).includes('noRestrictedImports'),
  );
  return { ...settings, overrides: [...importRules(), ...others] };
}
