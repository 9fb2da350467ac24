/** The settings: environment variables with their rules and descriptions, from which `npm run format` writes docs/settings.md. */
import * as z from 'zod/mini';
import { emailError, toEmail } from '#domain/email.ts';
import { DEFAULT_RETENTION } from '#domain/retention.ts';
import { CLOUDFLARE_API } from './cache/cdn/cloudflare.ts';
import { FASTLY_API } from './cache/cdn/fastly.ts';
import { parseTrustedProxies } from './ip_address.ts';
import { LOG_FORMATS, LOG_LEVELS } from './log_config.ts';

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
const PostgresUrl = z.url({ protocol: /^postgres(ql)?$/ });
/** Visible ASCII characters only, because a header contains the value. */
const HeaderValue = z.string().check(z.regex(/^[\x21-\x7e]+$/));
/** A whole number of units of time; 0 is for ever. */
function wholeNumber(value: number) {
  return z._default(z.coerce.number().check(z.int(), z.minimum(0), z.maximum(100_000)), value);
}
const Port = z.coerce.number().check(z.int(), z.minimum(0), z.maximum(65_535));
const LOOPBACK_HOST = '127.0.0.1';
/** More about a setting, for docs/settings.md and for error messages. */
interface SettingDetails {
  /** What the server does without the setting; without it, the schema's default is shown. */
  readonly unset?: string;
  /** Completes the sentence "NAME must be …" of an error. Never quotes the value: it may be a secret. */
  readonly rule?: string;
  /** A secret, which may be in a file: `SECRET_KEY_FILE` names the file with the `SECRET_KEY`. */
  readonly isSecret?: true;
}

const settingTexts = z.registry<SettingDetails & { readonly meaning: string }>();

function setting<Schema extends z.core.$ZodType>(
  schema: Schema,
  meaning: string,
  details: SettingDetails = {},
): Schema {
  settingTexts.add(schema, { meaning, ...details });
  return schema;
}

const WEB_ADDRESS_RULE = 'an address such as https://linework.example, without a login';
const WEB_ADDRESSES_RULE = 'web addresses with commas between them';
const POSTGRES_ADDRESS_RULE = 'like postgres://user:password@host:5432/name';
const PORT_RULE = 'a whole number from 0 to 65535';
const KEY_RULE = 'at least 16 characters, any; 32 random ones are better';

function text(meaning: string, unset: string) {
  return setting(z.optional(z.string()), meaning, { unset });
}

function secretText(meaning: string, unset: string) {
  return setting(z.optional(z.string()), meaning, { unset, isSecret: true });
}

function webAddress(meaning: string, unset: string) {
  return setting(z.optional(BaseUrl), meaning, { unset, rule: WEB_ADDRESS_RULE });
}

/** A duration after which personal data are deleted. */
function retention(value: number, what: string, unit: string) {
  return setting(
    wholeNumber(value),
    `how many ${unit} ${what} are stored ([privacy](privacy.md)); 0 is for ever`,
    { rule: 'a whole number; 0 keeps the data for ever' },
  );
}

const addresses = {
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
};

const processes = {
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
};

const storage = {
  DATA_DIR: setting(z._default(z.string(), './data'), 'folder of all data'),
  DATABASE_URL: setting(
    z.optional(PostgresUrl),
    'PostgreSQL 15 or newer, with `btree_gist` available',
    { unset: 'a bundled PostgreSQL under `DATA_DIR`', rule: POSTGRES_ADDRESS_RULE, isSecret: true },
  ),
  DATABASE_READ_URL: setting(
    z.optional(PostgresUrl),
    'a streaming replica of it for public reads; used only while it is up to date',
    { unset: 'all reads use `DATABASE_URL`', rule: POSTGRES_ADDRESS_RULE, isSecret: true },
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
};

const pictures = {
  S3_ENDPOINT: webAddress(
    'address of an S3 service; stores images in a bucket that browsers may read, together with the next three',
    'images are files under `DATA_DIR`',
  ),
  S3_BUCKET: text('name of the bucket', 'none'),
  S3_ACCESS_KEY_ID: secretText('id of the access key', 'none'),
  S3_SECRET_ACCESS_KEY: secretText('the access key', 'none'),
  S3_REGION: setting(z._default(z.string(), 'us-east-1'), 'region of the bucket'),
  S3_PUBLIC_URL: webAddress('address of the bucket for browsers', '`S3_ENDPOINT/S3_BUCKET`'),
};

const security = {
  SECRET_KEY: setting(
    z.optional(z.string().check(z.minLength(16))),
    'signs tokens, at least 16 characters; required with `DATABASE_URL`',
    { unset: 'created once in `DATA_DIR`', rule: KEY_RULE, isSecret: true },
  ),
  SECRET_KEY_PREVIOUS: setting(
    z.optional(z.string().check(z.minLength(16))),
    'the previous `SECRET_KEY`, while you change it: its tokens and mailed links stay valid',
    {
      unset: 'tokens of another key are refused',
      rule: 'the previous SECRET_KEY, at least 16 characters',
      isSecret: true,
    },
  ),
  VISITOR_KEY: setting(
    z.optional(z.string().check(z.minLength(16))),
    'the same at the API and at a [site on another host](deploy.md#the-site-on-another-host), which signs the addresses of its visitors with it; at least 16 characters',
    { unset: 'limits count that host as one client', rule: KEY_RULE, isSecret: true },
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
};

const times = {
  HOLD_MINUTES: setting(
    z._default(z.coerce.number().check(z.positive()), 30),
    'how long an unconfirmed booking (a hold) reserves its time',
    { rule: 'a number above 0' },
  ),
  OFFER_HOURS: setting(
    z._default(z.coerce.number().check(z.positive()), 72),
    'how long an offer reserves its time',
    { rule: 'a number above 0' },
  ),
  RETAIN_APPOINTMENT_DETAILS_MONTHS: retention(
    DEFAULT_RETENTION.appointmentDetailsMonths,
    'details of past appointments',
    'months',
  ),
  RETAIN_MESSAGES_MONTHS: retention(DEFAULT_RETENTION.messagesMonths, 'messages', 'months'),
  RETAIN_MAILS_DAYS: retention(DEFAULT_RETENTION.mailsDays, 'mails', 'days'),
  RETAIN_PAYMENT_EVENTS_MONTHS: retention(
    DEFAULT_RETENTION.paymentEventsMonths,
    'payment events',
    'months',
  ),
};

const mail = {
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
};

const billing = {
  STRIPE_SECRET_KEY: secretText(
    'secret key of the Stripe account; turns billing on, together with the next two ([subscriptions](subscriptions.md))',
    'billing is off, and every artist takes bookings',
  ),
  STRIPE_WEBHOOK_SECRET: secretText('secret of the webhook', 'billing is off'),
  STRIPE_PRICE_ID: text('id of the price of a subscription', 'billing is off'),
  STRIPE_API_BASE: webAddress("address of the payment provider's API", "Stripe's public address"),
};

const caches = {
  VARNISH_URLS: setting(
    z.optional(HttpUrls),
    'addresses of Varnish caches in front, separated by commas; they run `deploy/varnish`',
    { unset: 'no Varnish is purged', rule: WEB_ADDRESSES_RULE },
  ),
  CLOUDFLARE_ZONE_ID: text(
    'zone of Cloudflare in front; together with the next',
    'Cloudflare caches no page and is not purged',
  ),
  CLOUDFLARE_API_TOKEN: setting(z.optional(HeaderValue), 'token that may purge this zone', {
    unset: 'Cloudflare caches no page and is not purged',
    rule: 'a token that may purge the zone',
    isSecret: true,
  }),
  CLOUDFLARE_API_BASE: setting(z._default(BaseUrl, CLOUDFLARE_API), "address of Cloudflare's API", {
    rule: WEB_ADDRESS_RULE,
  }),
  FASTLY_SERVICE_ID: text(
    'service of Fastly in front; together with the next',
    'Fastly is not purged',
  ),
  FASTLY_API_TOKEN: setting(z.optional(HeaderValue), 'token that may purge this service', {
    unset: 'Fastly is not purged',
    rule: 'a token that may purge the service',
    isSecret: true,
  }),
  FASTLY_API_BASE: setting(z._default(BaseUrl, FASTLY_API), "address of Fastly's API", {
    rule: WEB_ADDRESS_RULE,
  }),
};

const monitoring = {
  LOG_FORMAT: setting(
    z._default(z.enum(LOG_FORMATS), 'text'),
    '`text` for people, or `json`: one object a line, for programs ([logs](deploy.md#logs))',
    { rule: 'text or json' },
  ),
  LOG_LEVEL: setting(
    z._default(z.enum(LOG_LEVELS), 'info'),
    'the least important lines that are written: `debug`, `info`, `warn` or `error`; `debug` also adds stacks to the errors of commands',
    { rule: 'debug, info, warn or error' },
  ),
  HEALTH_TOKEN: setting(
    z.optional(z.string().check(z.minLength(16))),
    'lets monitoring read the state of each part at `/readyz?verbose` ([health checks](deploy.md#health-checks-and-restarts-without-downtime)); at least 16 characters',
    { unset: 'nobody can read it', rule: KEY_RULE, isSecret: true },
  ),
  METRICS_PORT: setting(
    z.optional(Port),
    'port of `/metrics` for Prometheus ([metrics](deploy.md#metrics))',
    { unset: 'nothing is counted', rule: PORT_RULE },
  ),
  METRICS_HOST: setting(z._default(z.string(), LOOPBACK_HOST), 'address of `/metrics`'),
};

/** The settings by subject, in the order of docs/settings.md. */
const SECTIONS = {
  Addresses: addresses,
  'Processes and memory': processes,
  'Database, data and backups': storage,
  'Pictures in a bucket': pictures,
  'Keys and limits': security,
  Times: times,
  Mail: mail,
  Subscriptions: billing,
  'Caches in front': caches,
  'Logs and monitoring': monitoring,
};

/** The environment variables and their defaults. `readConfig` removes empty ones first. */
export const Environment = z.object({
  ...addresses,
  ...processes,
  ...storage,
  ...pictures,
  ...security,
  ...times,
  ...mail,
  ...billing,
  ...caches,
  ...monitoring,
});
export type Environment = z.output<typeof Environment>;

const DESCRIBED = Object.entries(Environment.shape).map(([name, schema]) => ({
  name,
  text: settingTexts.get(schema),
}));

/** The names of secrets, whose value may be in a file. */
export const SECRETS: readonly string[] = DESCRIBED.filter(({ text }) => text?.isSecret).map(
  ({ name }) => name,
);

/** The names of the settings that name the file of a secret. */
export const FILE_SETTINGS: readonly string[] = SECRETS.map((name) => `${name}_FILE`);

/** The names of all settings. */
export const SETTINGS: readonly string[] = [...Object.keys(Environment.shape), ...FILE_SETTINGS];

/** What the value of a setting must be, for an error message. */
export const RULES: ReadonlyMap<string, string> = new Map(
  DESCRIBED.flatMap(({ name, text }) => (text?.rule ? [[name, text.rule]] : [])),
);

/** The settings as Markdown: a heading and a table for each subject. */
export function settingsAsMarkdown(): string {
  return Object.entries(SECTIONS)
    .map(([title, settings]) => {
      const rows = Object.entries(settings).map(([name, schema]) => {
        const text = settingTexts.get(schema);
        const names = text?.isSecret ? `\`${name}\`, \`${name}_FILE\`` : `\`${name}\``;
        return `| ${names} | ${text?.meaning} | ${text?.unset ?? defaultOf(schema)} |`;
      });
      return [`## ${title}`, '', '| Setting | Meaning | Unset |', '|---|---|---|', ...rows].join(
        '\n',
      );
    })
    .join('\n\n');
}

function defaultOf(schema: z.core.$ZodType): string {
  return `\`${z.safeParse(schema, undefined).data}\``;
}

function hasNoLogin(url: string): boolean {
  // Another rule refuses what is no URL.
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
