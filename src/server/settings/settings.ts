/**
 * The settings: environment variables, each one entry with its schema, default and text, from which
 * `npm run format` writes docs/settings.md.
 */
import * as z from 'zod/mini';
import { emailError, toEmail } from '#domain/mail/email.ts';
import { DEFAULT_RETENTION } from '#domain/retention.ts';
import { CLOUDFLARE_API } from '#server/cache/cdn/cloudflare.ts';
import { FASTLY_API } from '#server/cache/cdn/fastly.ts';
import { parseTrustedProxies } from '#server/http/ip_address.ts';

/** The environment variables of a process. */
export type Variables = Readonly<Record<string, string | undefined>>;

const HttpUrl = z.url({ protocol: /^https?$/ });
const HttpUrls = z.pipe(
  z.pipe(
    z.string(),
    z.transform((list) => list.split(',').map((url) => url.trim())),
  ),
  z.array(HttpUrl),
);
/** Removes the path and a default port: the `Origin` header has neither. */
const Origins = z.pipe(
  HttpUrls,
  z.transform((urls) => urls.map((url) => new URL(url).origin)),
);
/** Without a login, which logs and the doctor would show. Removes a trailing slash. */
const BaseUrl = z.pipe(
  HttpUrl.check(z.refine(hasNoLogin)),
  z.transform((url) => url.replace(/\/+$/, '')),
);
/** Without a path, a query or a login: pages are at the root of their host. */
const SiteUrl = z.pipe(
  HttpUrl.check(z.refine(isOriginOnly)),
  z.transform((url) => new URL(url).origin),
);
const TrustedProxyList = z.pipe(
  z.string(),
  z.transform((list: string, { issues }) => {
    try {
      return parseTrustedProxies(list);
    } catch (error) {
      issues.push({ code: 'custom', message: String(error), input: list });
      return z.NEVER;
    }
  }),
);
const Port = z.coerce.number().check(z.int(), z.minimum(0), z.maximum(65_535));
/** With fewer, work that holds a connection and needs another could take all of them (docs/decisions, 0081). */
const MIN_CONNECTIONS = 8;
const LOOPBACK_HOST = '127.0.0.1';

/** More about a setting, for docs/settings.md and for error messages. */
interface SettingDetails {
  /** The server's behavior without the setting; when missing, the schema's default is shown. */
  readonly unset?: string;
  /** Completes the sentence "NAME must be …" of an error. Never quotes the value: it may be a secret. */
  readonly rule?: string;
  /** A secret, which may be in a file: `SECRET_KEY_FILE` names the file with the `SECRET_KEY`. */
  readonly isSecret?: true;
}

const settingTexts = z.registry<SettingDetails & { readonly meaning: string }>();

const WEB_ADDRESS_RULE = 'an address such as https://linework.example, without a login';
const WEB_ADDRESSES_RULE = 'web addresses with commas between them';
const PORT_RULE = 'a whole number from 0 to 65535';
const KEY_RULE = 'at least 16 characters, any; 32 random ones are better';

function setting<Schema extends z.core.$ZodType>(
  schema: Schema,
  meaning: string,
  details: SettingDetails = {},
): Schema {
  settingTexts.add(schema, { meaning, ...details });
  return schema;
}

function text(meaning: string, unset: string) {
  return setting(z.optional(z.string()), meaning, { unset });
}

function secretText(meaning: string, unset: string) {
  return setting(z.optional(z.string()), meaning, { unset, isSecret: true });
}

function key(meaning: string, unset: string, rule = KEY_RULE) {
  const schema = z.optional(z.string().check(z.minLength(16)));
  return setting(schema, meaning, { unset, rule, isSecret: true });
}

/** Visible ASCII characters only, because a header contains the value. */
function headerToken(meaning: string, unset: string, rule: string) {
  const schema = z.optional(z.string().check(z.regex(/^[\x21-\x7e]+$/)));
  return setting(schema, meaning, { unset, rule, isSecret: true });
}

function webAddress(meaning: string, unset: string) {
  return setting(z.optional(BaseUrl), meaning, { unset, rule: WEB_ADDRESS_RULE });
}

function postgresAddress(meaning: string, unset: string) {
  const schema = z.optional(z.url({ protocol: /^postgres(ql)?$/ }));
  const rule = 'like postgres://user:password@host:5432/name';
  return setting(schema, meaning, { unset, rule, isSecret: true });
}

/** A duration, which may have a fraction. */
function duration(defaultValue: number, meaning: string) {
  const schema = z._default(z.coerce.number().check(z.positive()), defaultValue);
  return setting(schema, meaning, { rule: 'a number above 0' });
}

/** A duration after which personal data, which `what` names, are deleted. */
function retention(defaultValue: number, unit: string, what: string) {
  const schema = z.coerce.number().check(z.int(), z.minimum(0), z.maximum(100_000));
  return setting(
    z._default(schema, defaultValue),
    `how many ${unit} ${what} are stored ([privacy](privacy.md)); 0 is for ever`,
    { rule: 'a whole number; 0 keeps the data for ever' },
  );
}

/** The environment variables, in the order of docs/settings.md. `readConfig` removes empty ones first. */
export const Environment = z.object({
  PORT: setting(z._default(Port, 4321), 'port to listen on', { rule: PORT_RULE }),
  HOST: setting(z._default(z.string(), LOOPBACK_HOST), 'address to listen on'),
  SITE_URL: setting(
    z.optional(SiteUrl),
    'public address, without a path: links in mails and to the payment provider, canonical and calendar links, the sitemap',
    {
      unset: '`http://localhost:PORT`',
      rule: 'an address without a path, such as https://linework.example: pages are at the root of their host',
    },
  ),
  PRODUCT_NAME: setting(
    z._default(z.string(), 'Linework'),
    'name of the product on pages and in mails; artists cannot take it as a username',
  ),
  // The server only validates API_URL and DASHBOARD_URL: the site's middleware and settings use them.
  API_URL: webAddress("address of the API for the site's pages", 'the same process'),
  PUBLIC_API_URL: webAddress('address of the API for browsers', "the site's own origin"),
  ALLOWED_ORIGINS: setting(
    z.optional(Origins),
    'sites that may call the API from a browser, separated by commas',
    { unset: '`SITE_URL`', rule: `${WEB_ADDRESSES_RULE}, such as https://linework.example` },
  ),
  DASHBOARD_URL: webAddress(
    'target of the links Artist Login and Get Started',
    "this site's `/login` and `/signup`",
  ),
  ADAPTER: text(
    'host that `npm run build` builds the site for: `node`, `node-standalone`, `cloudflare`, `netlify` or `vercel` (the last three after `npm ci --prefix deploy/<host>`)',
    '`node`',
  ),

  WORKERS: setting(
    z._default(
      z.union([z.literal('auto'), z.coerce.number().check(z.int(), z.minimum(1), z.maximum(256))]),
      1,
    ),
    'number of processes that serve requests on the port; `auto` is one for each core',
    { rule: 'a whole number from 1 to 256, or auto' },
  ),
  STOP_DELAY_SECONDS: setting(
    z._default(z.coerce.number().check(z.minimum(0), z.maximum(300)), 3),
    'how long a server still serves after SIGTERM, while `/readyz` answers 503, so that proxies notice',
    { rule: 'a number of seconds, from 0 to 300' },
  ),
  PAGE_CACHE_MB: setting(
    z._default(z.coerce.number().check(z.minimum(0), z.maximum(65_536)), 64),
    'memory of each process for cached pages and API responses; 0 disables the cache',
    { rule: 'a number of megabytes, from 0 to 65536' },
  ),

  DATA_DIR: setting(z._default(z.string(), './data'), 'folder of all data'),
  DATABASE_URL: postgresAddress(
    'PostgreSQL 15 or newer, with `btree_gist` available',
    'a bundled PostgreSQL under `DATA_DIR`',
  ),
  DATABASE_READ_URL: postgresAddress(
    'a streaming replica of it for public reads; used only while it is up to date',
    'all reads use `DATABASE_URL`',
  ),
  DATABASE_CONNECTIONS: setting(
    z._default(z.coerce.number().check(z.int(), z.minimum(MIN_CONNECTIONS), z.maximum(1000)), 12),
    'how many connections to PostgreSQL each process opens at most, and as many to a replica ([how many are needed](deploy.md#connections-to-the-database))',
    { rule: `a whole number from ${MIN_CONNECTIONS} to 1000` },
  ),
  ALLOW_NEWER_DATABASE: setting(
    z._default(z.enum(['0', '1']), '0'),
    '`1` starts on a database that a newer version has migrated, if its migrations allow it ([rolling restarts](deploy.md#rolling-restarts))',
    { unset: 'such a database is refused', rule: '0 or 1' },
  ),
  DEMO: setting(
    z.optional(z.enum(['0', '1'])),
    '`1` fills an empty database with demo artists, `0` never',
    { unset: '`1` with the bundled database on a loopback `HOST`, else `0`', rule: '0 or 1' },
  ),
  BACKUP_DIR: text('folder of the nightly backups ([restore](restore.md))', 'no nightly backups'),
  BACKUP_KEEP: setting(
    z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(10_000)), 7),
    'number of nightly backups to keep',
    { rule: 'a whole number from 1 to 10000' },
  ),

  S3_ENDPOINT: webAddress(
    'address of an S3 service; stores images in a bucket that browsers may read, together with the next three',
    'images are files under `DATA_DIR`',
  ),
  S3_BUCKET: text('name of the bucket', 'none'),
  S3_ACCESS_KEY_ID: secretText('id of the access key', 'none'),
  S3_SECRET_ACCESS_KEY: secretText('the access key', 'none'),
  S3_REGION: setting(z._default(z.string(), 'us-east-1'), 'region of the bucket'),
  S3_PUBLIC_URL: webAddress('address of the bucket for browsers', '`S3_ENDPOINT/S3_BUCKET`'),

  SECRET_KEY: key(
    'signs tokens, at least 16 characters; required with `DATABASE_URL`',
    'created once in `DATA_DIR`',
  ),
  SECRET_KEY_PREVIOUS: key(
    'the previous `SECRET_KEY`, while you change it: its tokens and mailed links stay valid',
    'tokens of another key are refused',
    'the previous SECRET_KEY, at least 16 characters',
  ),
  VISITOR_KEY: key(
    'the same at the API and at a [site on another host](deploy.md#the-site-on-another-host), which signs the addresses of its visitors with it; at least 16 characters',
    'limits count that host as one client',
  ),
  RATE_LIMIT: setting(
    z._default(z.enum(['on', 'off']), 'on'),
    '`off` disables limits per time, mail budgets and proofs of work, for load tests ([limits](abuse.md))',
    { rule: 'on or off' },
  ),
  TRUSTED_PROXIES: setting(
    z.optional(TrustedProxyList),
    'proxies whose `X-Forwarded-For` is believed: IP addresses, networks such as `10.0.0.0/8`, `cloudflare` and `fastly`, separated by commas',
    {
      unset: 'this machine and private networks',
      rule: 'IP addresses, networks such as 10.0.0.0/8, cloudflare or fastly, with commas between them',
    },
  ),
  FIRST_SUPERUSER_EMAIL: setting(
    z.optional(
      z.string().check(
        z.refine((typed) => !emailError(typed)),
        z.overwrite(toEmail),
      ),
    ),
    'email of a superuser, created at start if missing; together with the next',
    { unset: 'none is created', rule: 'an email address' },
  ),
  FIRST_SUPERUSER_PASSWORD: setting(
    z.optional(z.string().check(z.minLength(8))),
    'password of this superuser',
    { unset: 'none is created', rule: 'at least 8 characters', isSecret: true },
  ),

  HOLD_MINUTES: duration(30, 'how long an unconfirmed booking (a hold) reserves its time'),
  OFFER_HOURS: duration(72, 'how long an offer reserves its time'),
  RETAIN_APPOINTMENT_DETAILS_MONTHS: retention(
    DEFAULT_RETENTION.appointmentDetailsMonths,
    'months',
    'details of past appointments',
  ),
  RETAIN_MESSAGES_MONTHS: retention(DEFAULT_RETENTION.messagesMonths, 'months', 'messages'),
  RETAIN_MAILS_DAYS: retention(DEFAULT_RETENTION.mailsDays, 'days', 'mails'),
  RETAIN_PAYMENT_EVENTS_MONTHS: retention(
    DEFAULT_RETENTION.paymentEventsMonths,
    'months',
    'payment events',
  ),

  SMTP_URL: setting(
    z.optional(z.url({ protocol: /^smtps?$/ })),
    'mail server, such as `smtp://user:password@mail.example.com:587` (TLS if the server supports it) or `smtps://…` ([mail](mail.md))',
    {
      unset: 'mails are written to `DATA_DIR/outbox` as `.eml` files',
      rule: 'like smtp://user:password@mail.linework.example:587',
      isSecret: true,
    },
  ),
  MAIL_FROM: setting(
    z.optional(
      z.string().check(z.regex(/^[^<>\r\n]*<[^<>@\s]+@[^<>@\s]+>$|^[^<>@\s]+@[^<>@\s]+$/)),
    ),
    'sender of mails, such as `Linework <no-reply@book.example.com>`',
    {
      unset: "`PRODUCT_NAME <no-reply@SITE_URL's host>`",
      rule: 'an email address, or like Linework <no-reply@linework.example>',
    },
  ),

  STRIPE_SECRET_KEY: secretText(
    'secret key of the Stripe account; turns billing on, together with the next two ([subscriptions](subscriptions.md))',
    'billing is off, and every artist takes bookings',
  ),
  STRIPE_WEBHOOK_SECRET: secretText('secret of the webhook', 'billing is off'),
  STRIPE_PRICE_ID: text('id of the price of a subscription', 'billing is off'),
  STRIPE_API_BASE: webAddress("address of the payment provider's API", "Stripe's public address"),

  VARNISH_URLS: setting(
    z.optional(HttpUrls),
    'addresses of Varnish caches in front, separated by commas; they run `deploy/varnish`',
    { unset: 'no Varnish is purged', rule: WEB_ADDRESSES_RULE },
  ),
  CLOUDFLARE_ZONE_ID: text(
    'zone of Cloudflare in front; together with the next',
    'Cloudflare caches no page and is not purged',
  ),
  CLOUDFLARE_API_TOKEN: headerToken(
    'token that may purge this zone',
    'Cloudflare caches no page and is not purged',
    'a token that may purge the zone',
  ),
  CLOUDFLARE_API_BASE: setting(z._default(BaseUrl, CLOUDFLARE_API), "address of Cloudflare's API", {
    rule: WEB_ADDRESS_RULE,
  }),
  FASTLY_SERVICE_ID: text(
    'service of Fastly in front; together with the next',
    'Fastly is not purged',
  ),
  FASTLY_API_TOKEN: headerToken(
    'token that may purge this service',
    'Fastly is not purged',
    'a token that may purge the service',
  ),
  FASTLY_API_BASE: setting(z._default(BaseUrl, FASTLY_API), "address of Fastly's API", {
    rule: WEB_ADDRESS_RULE,
  }),

  LOG_FORMAT: setting(
    z._default(z.enum(['text', 'json']), 'text'),
    '`text` for people, or `json`: one object a line, for programs ([logs](deploy.md#logs))',
    { rule: 'text or json' },
  ),
  LOG_LEVEL: setting(
    z._default(z.enum(['debug', 'info', 'warn', 'error']), 'info'),
    'the least important lines that are written: `debug`, `info`, `warn` or `error`; `debug` also adds stacks to the errors of commands',
    { rule: 'debug, info, warn or error' },
  ),
  HEALTH_TOKEN: key(
    'lets monitoring read the state of each part at `/readyz?verbose` ([health checks](deploy.md#health-checks-and-restarts-without-downtime)); at least 16 characters',
    'nobody can read it',
  ),
  METRICS_PORT: setting(
    z.optional(Port),
    'port of `/metrics` for Prometheus ([metrics](deploy.md#metrics))',
    { unset: 'nothing is counted', rule: PORT_RULE },
  ),
  METRICS_HOST: setting(z._default(z.string(), LOOPBACK_HOST), 'address of `/metrics`'),
});
export type Environment = z.output<typeof Environment>;

/** The headings of docs/settings.md, each before this setting. */
const HEADINGS: Readonly<Record<string, string>> = {
  PORT: 'Addresses',
  WORKERS: 'Processes and memory',
  DATA_DIR: 'Database, data and backups',
  S3_ENDPOINT: 'Pictures in a bucket',
  SECRET_KEY: 'Keys and limits',
  HOLD_MINUTES: 'Times',
  SMTP_URL: 'Mail',
  STRIPE_SECRET_KEY: 'Subscriptions',
  VARNISH_URLS: 'Caches in front',
  LOG_FORMAT: 'Logs and monitoring',
};

const ENTRIES = Object.entries(Environment.shape);

/** The names of secrets, whose value may be in a file. */
export const SECRETS: readonly string[] = ENTRIES.filter(
  ([, schema]) => settingTexts.get(schema)?.isSecret,
).map(([name]) => name);

/** The names of the settings that name the file of a secret. */
export const FILE_SETTINGS: readonly string[] = SECRETS.map((name) => `${name}_FILE`);

/** The names of all environment variables that the server reads as settings. */
export const SETTINGS: readonly string[] = [...Object.keys(Environment.shape), ...FILE_SETTINGS];

/** The rules for the values of settings, for error messages. */
export const RULES: ReadonlyMap<string, string | undefined> = new Map(
  ENTRIES.map(([name, schema]) => [name, settingTexts.get(schema)?.rule]),
);

/** The settings as Markdown: a heading and a table for each subject. */
export function settingsAsMarkdown(): string {
  const lines: string[] = [];
  for (const [name, schema] of ENTRIES) {
    const texts = settingTexts.get(schema);
    const heading = HEADINGS[name];
    if (heading) lines.push(`\n## ${heading}\n`, '| Setting | Meaning | Unset |', '|---|---|---|');
    const names = texts?.isSecret ? `\`${name}\`, \`${name}_FILE\`` : `\`${name}\``;
    lines.push(`| ${names} | ${texts?.meaning} | ${texts?.unset ?? defaultOf(schema)} |`);
  }
  return lines.join('\n').trim();
}

function defaultOf(schema: z.core.$ZodType): string {
  return `\`${z.safeParse(schema, undefined).data}\``;
}

function hasNoLogin(url: string): boolean {
  // Another rule refuses other texts than URLs.
  if (!URL.canParse(url)) return true;
  const { username, password } = new URL(url);
  return username === '' && password === '';
}

/** Whether a URL has nothing after its host and port but a slash. */
function isOriginOnly(url: string): boolean {
  // Another rule refuses it.
  if (!URL.canParse(url)) return true;
  const { pathname, search, hash } = new URL(url);
  return /^\/+$/.test(pathname) && `${search}${hash}` === '' && hasNoLogin(url);
}
