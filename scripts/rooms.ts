// The list of rooms: `npm run check:rooms` checks the imports with it, and `npm run format` writes it as a
// table into docs/architecture.md.

/** A folder of source files, without the rooms inside it. */
export interface Room {
  /** Its files import each other by relative paths; others import them by `#` and the path below `src`. */
  readonly folder: string;
  /** Names of rooms and of files in rooms (`nameOf`); a file directly in `src`, or in no room, by its path. */
  readonly imports: readonly string[];
  /** `any`: all, with those of Node. `site`: all but those of Node; also stylesheets, pictures and fonts. */
  readonly packages: readonly string[] | 'any' | 'site';
  /** The folders in it, each of which may import those before it. The files beside them import no folder. */
  readonly order?: readonly string[];
}

/** Every folder of source files, from the innermost to the server that opens all of them. */
export const ROOMS: readonly Room[] = [
  {
    folder: 'src/domain',
    imports: [],
    packages: ['country-to-currency', 'date-fns-tz', 'papaparse', 'tldts'],
  },
  { folder: 'src/contract', imports: ['domain'], packages: ['zod'] },
  { folder: 'src/cache', imports: ['domain'], packages: ['astro'] },
  {
    folder: 'src/client',
    imports: ['contract', 'domain'],
    packages: ['ky', 'zod', 'altcha-lib'],
  },
  {
    folder: 'src/stores',
    imports: ['client', 'contract', 'domain'],
    packages: ['nanostores', '@nanostores', '@simplewebauthn/browser'],
  },
  {
    folder: 'src/islands',
    imports: ['stores', 'client', 'contract', 'domain'],
    packages: 'site',
  },
  { folder: 'src/components', imports: ['contract', 'domain'], packages: 'site' },
  {
    folder: 'src/layouts',
    imports: ['components', 'contract', 'domain', 'src/site_settings.ts'],
    packages: 'site',
  },
  {
    folder: 'src/pages',
    imports: ['client', 'layouts', 'components', 'islands', 'contract', 'domain', 'cache'],
    packages: 'site',
  },
  // The middleware connects every page to the API.
  {
    folder: 'src',
    imports: ['client', 'domain', 'cache', 'contract/endpoint.ts'],
    packages: 'site',
  },
  {
    folder: 'src/server/api',
    imports: [
      'contract',
      'cache',
      'server/operations',
      'domain/refusal.ts',
      'domain/time/duration.ts',
      'domain/requests',
      'domain/accounts/subscription.ts',
    ],
    packages: 'any',
  },
  {
    folder: 'src/server/operations',
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
      // Creates the text of a mail, without I/O.
      'server/mail/create_mail.ts',
    ],
    packages: 'any',
    order: [
      'mail',
      'catalogue',
      'booking',
      'accounts',
      'appointments',
      'payments',
      'clients',
      'studio',
      'exports',
      'admin',
      'tasks',
    ],
  },
  {
    folder: 'src/server/jobs',
    imports: [
      'server/operations',
      'domain',
      'server/database/clock.ts',
      'server/database/prepared_statements.ts',
      'server/cache/purge_retry.ts',
    ],
    packages: 'any',
  },
  { folder: 'src/server/database', imports: ['domain'], packages: 'any' },
  {
    folder: 'src/server/cache',
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
  { folder: 'src/server/metrics', imports: ['domain'], packages: 'any' },
  { folder: 'src/server/mail', imports: ['domain', 'cache'], packages: 'any' },
  { folder: 'src/server/payments', imports: ['domain', 'cache'], packages: 'any' },
  { folder: 'src/server/images', imports: ['domain', 'cache'], packages: 'any' },
  {
    folder: 'src/server/backup',
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
  { folder: 'src/server/api_docs', imports: [], packages: 'any' },
  {
    folder: 'src/server/doctor',
    imports: [
      'domain',
      'demo',
      'server/database',
      'server/images',
      'server/mail',
      'server/settings',
      // How requests pass proxies.
      'server/http/ip_address.ts',
      'server/http/proxy_networks.ts',
    ],
    packages: 'any',
  },
  {
    folder: 'src/server/settings',
    imports: [
      'domain',
      // These read settings of their own.
      'server/cache/cdn/cloudflare.ts',
      'server/cache/cdn/fastly.ts',
      'server/http/ip_address.ts',
      'server/database/error_code.ts',
      'server/operations/token_keys.ts',
    ],
    packages: 'any',
  },
  {
    folder: 'src/server/log',
    imports: [
      'domain',
      'server/settings',
      'server/http/request_context.ts',
      'server/database',
      'server/operations/context.ts',
      // These say what kind of failure an error is.
      'server/api/error_answers.ts',
      'server/mail/mailer.ts',
    ],
    packages: 'any',
  },
  {
    folder: 'src/server/http',
    imports: [
      'domain',
      'contract/endpoint.ts',
      'cache',
      'src/site_settings.ts',
      'server/api',
      'server/api_docs',
      'server/operations',
      'server/cache',
      'server/database',
      'server/images/image_store.ts',
      'server/metrics/metrics.ts',
      'server/settings',
    ],
    packages: 'any',
  },
  {
    folder: 'demo',
    // The demo's drawings are encoded and stored like uploads.
    imports: ['server/operations', 'server/database', 'server/images', 'domain'],
    packages: 'any',
  },
  {
    folder: 'src/server',
    imports: [
      'server',
      'domain',
      'cache',
      'demo',
      'src/site_settings.ts',
      'scripts/node_version.js',
    ],
    packages: 'any',
  },
];

/** The name by which a room is imported: `server/api` for `src/server/api`. */
export function nameOf({ folder }: Room): string {
  return folder.replace(/^src\//, '');
}

/** The rule of a room in words. */
export function ruleOf(room: Room): string {
  const order = room.order ? `; its folders, in this order: ${room.order.join(', ')}` : '';
  return `${nameOf(room)} may import ${importsOf(room)} (packages: ${packagesOf(room)}), other rooms by name (#…)${order}. See docs/architecture.md.`;
}

/** The rooms and files that a room may import, in words. */
function importsOf({ imports }: Room): string {
  return imports.join(', ') || 'itself';
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
