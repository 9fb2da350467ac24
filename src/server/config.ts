import * as z from 'zod/mini';
import type { CdnConfig } from './cache/cdn/cdns.ts';
import { CLOUDFLARE_API } from './cache/cdn/cloudflare.ts';
import { FASTLY_API } from './cache/cdn/fastly.ts';
import type { Bucket } from './images/s3_store.ts';
import { isLoopback } from './ip_address.ts';
import type { StripeAccount } from './payments/stripe.ts';

/** All settings, read once (the README lists them). */
export interface Config {
  readonly port: number;
  readonly host: string;
  readonly productName: string;
  readonly siteUrl: string;
  readonly publicApiUrl: string;
  readonly dashboardUrl: string | undefined;
  readonly allowedOrigins: readonly string[];
  readonly dataDir: string;
  readonly database: { readonly kind: 'bundled' } | { readonly kind: 'url'; readonly url: string };
  /** A replica of `database` that public reads may be made on. */
  readonly replicaUrl: string | undefined;
  readonly demo: boolean;
  /** Unset with the bundled database, which keeps one of its own. */
  readonly secretKey: string | undefined;
  readonly holdMinutes: number;
  readonly offerHours: number;
  readonly rateLimit: boolean;
  /** How much memory kept pages may take, in bytes. */
  readonly pageCacheBytes: number;
  /** Who keeps pages in front of us, and is told what to let go of. */
  readonly cdn: CdnConfig;
  /** Where images are kept; unset, under `dataDir`. */
  readonly bucket: Bucket | undefined;
  /** Whom mail comes from. */
  readonly mailFrom: string;
  /** The server that mail is handed to; unset, mail is written to files. */
  readonly smtpUrl: string | undefined;
  /** How artists pay; unset, billing is off. */
  readonly billing: StripeAccount | undefined;
  readonly superuser: { readonly email: string; readonly password: string } | undefined;
}

/** The program cannot start the way it is set up; the message is for whoever started it. */
export class ConfigError extends Error {}

const HttpUrl = z.url({ protocol: /^https?$/ });
/** As browsers write them: without a path, and without the port that goes without saying. */
const Origins = z.pipe(
  z.pipe(
    z.string(),
    z.transform((text) => text.split(',').map((one) => one.trim())),
  ),
  z.array(
    z.pipe(
      HttpUrl,
      z.transform((url) => new URL(url).origin),
    ),
  ),
);
const HeaderValue = z.string().check(z.regex(/^[\x21-\x7e]+$/));
// What is set to nothing counts as unset, as in `PORT= npm start`.
const Environment = z.object({
  PORT: z._default(z.coerce.number().check(z.int(), z.minimum(0), z.maximum(65_535)), 4321),
  HOST: z._default(z.string(), '127.0.0.1'),
  PRODUCT_NAME: z._default(z.string(), 'Linework'),
  SITE_URL: z.optional(HttpUrl),
  PUBLIC_API_URL: z.optional(HttpUrl),
  DASHBOARD_URL: z.optional(HttpUrl),
  ALLOWED_ORIGINS: z.optional(Origins),
  DATA_DIR: z._default(z.string(), './data'),
  DATABASE_URL: z.optional(z.url({ protocol: /^postgres(ql)?$/ })),
  DATABASE_READ_URL: z.optional(z.url({ protocol: /^postgres(ql)?$/ })),
  DEMO: z.optional(z.enum(['0', '1'])),
  SECRET_KEY: z.optional(z.string().check(z.minLength(16))),
  HOLD_MINUTES: z._default(z.coerce.number().check(z.positive()), 30),
  OFFER_HOURS: z._default(z.coerce.number().check(z.positive()), 72),
  RATE_LIMIT: z._default(z.enum(['on', 'off']), 'on'),
  PAGE_CACHE_MB: z._default(z.coerce.number().check(z.minimum(0), z.maximum(65_536)), 64),
  VARNISH_URLS: z.optional(
    z.pipe(
      z.pipe(
        z.string(),
        z.transform((urls) => urls.split(',').map((one) => one.trim())),
      ),
      z.array(HttpUrl),
    ),
  ),
  CLOUDFLARE_ZONE_ID: z.optional(z.string()),
  CLOUDFLARE_API_TOKEN: z.optional(HeaderValue),
  CLOUDFLARE_API_BASE: z._default(HttpUrl, CLOUDFLARE_API),
  FASTLY_SERVICE_ID: z.optional(z.string()),
  FASTLY_API_TOKEN: z.optional(HeaderValue),
  FASTLY_API_BASE: z._default(HttpUrl, FASTLY_API),
  S3_ENDPOINT: z.optional(HttpUrl),
  S3_BUCKET: z.optional(z.string()),
  S3_ACCESS_KEY_ID: z.optional(z.string()),
  S3_SECRET_ACCESS_KEY: z.optional(z.string()),
  S3_REGION: z._default(z.string(), 'us-east-1'),
  S3_PUBLIC_URL: z.optional(HttpUrl),
  MAIL_FROM: z.optional(
    z.string().check(z.regex(/^[^<>\r\n]*<[^<>@\s]+@[^<>@\s]+>$|^[^<>@\s]+@[^<>@\s]+$/)),
  ),
  SMTP_URL: z.optional(z.url({ protocol: /^smtps?$/ })),
  STRIPE_SECRET_KEY: z.optional(z.string()),
  STRIPE_WEBHOOK_SECRET: z.optional(z.string()),
  STRIPE_PRICE_ID: z.optional(z.string()),
  STRIPE_API_BASE: z.optional(HttpUrl),
  FIRST_SUPERUSER_EMAIL: z.optional(z.email()),
  FIRST_SUPERUSER_PASSWORD: z.optional(z.string().check(z.minLength(8))),
});

const WEB_ADDRESS_RULE = 'must be an address such as https://linework.example';
const POSTGRES_ADDRESS_RULE = 'must be like postgres://user:password@host:5432/name';

/** What is said of a wrong one; the value is not repeated, as it may be a secret. */
const RULES: Record<keyof z.output<typeof Environment>, string> = {
  PORT: 'must be a whole number from 0 to 65535',
  HOST: 'must be an address of this machine',
  PRODUCT_NAME: 'must be a name',
  SITE_URL: WEB_ADDRESS_RULE,
  PUBLIC_API_URL: WEB_ADDRESS_RULE,
  DASHBOARD_URL: WEB_ADDRESS_RULE,
  ALLOWED_ORIGINS:
    'must be web addresses with commas between them, such as https://linework.example',
  DATA_DIR: 'must be a folder',
  DATABASE_URL: POSTGRES_ADDRESS_RULE,
  DATABASE_READ_URL: POSTGRES_ADDRESS_RULE,
  DEMO: 'must be 0 or 1',
  SECRET_KEY: 'must be at least 16 characters, any; 32 random ones are better',
  HOLD_MINUTES: 'must be a number above 0',
  OFFER_HOURS: 'must be a number above 0',
  RATE_LIMIT: 'must be on or off',
  PAGE_CACHE_MB: 'must be a number of megabytes, from 0 to 65536',
  VARNISH_URLS: 'must be web addresses with commas between them',
  CLOUDFLARE_ZONE_ID: 'must be the id of a zone',
  CLOUDFLARE_API_TOKEN: 'must be a token that may purge the zone',
  CLOUDFLARE_API_BASE: WEB_ADDRESS_RULE,
  FASTLY_SERVICE_ID: 'must be the id of a service',
  FASTLY_API_TOKEN: 'must be a token that may purge the service',
  FASTLY_API_BASE: WEB_ADDRESS_RULE,
  S3_ENDPOINT: WEB_ADDRESS_RULE,
  S3_BUCKET: 'must be the name of a bucket',
  S3_ACCESS_KEY_ID: 'must be the id of an access key',
  S3_SECRET_ACCESS_KEY: 'must be the secret of the access key',
  S3_REGION: 'must be the name of a region',
  S3_PUBLIC_URL: WEB_ADDRESS_RULE,
  MAIL_FROM: 'must be an email address, or like Linework <no-reply@linework.example>',
  SMTP_URL: 'must be like smtp://user:password@mail.linework.example:587',
  STRIPE_SECRET_KEY: 'must be a secret key of the card provider',
  STRIPE_WEBHOOK_SECRET: "must be the secret that the card provider's callbacks are signed with",
  STRIPE_PRICE_ID: 'must be the id of a price',
  STRIPE_API_BASE: WEB_ADDRESS_RULE,
  FIRST_SUPERUSER_EMAIL: 'must be an email address',
  FIRST_SUPERUSER_PASSWORD: 'must be at least 8 characters',
};

/**
 * Settings from an environment such as `process.env`.
 * @throws ConfigError that names every setting that is wrong
 */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const set = Object.fromEntries(Object.entries(environment).filter(([, value]) => value));
  const result = z.safeParse(Environment, set);
  const wrong = [...listMissingSettings(set)];
  for (const [name, rule] of Object.entries(RULES))
    if (result.error?.issues.some(({ path }) => path[0] === name)) wrong.push(`${name} ${rule}`);
  if (!result.success || wrong.length > 0)
    throw new ConfigError(`These settings are wrong:\n  ${wrong.join('\n  ')}`);
  const env = result.data;
  const { DATABASE_URL: databaseUrl, FIRST_SUPERUSER_EMAIL, FIRST_SUPERUSER_PASSWORD } = env;
  const siteUrl = withoutTrailingSlash(env.SITE_URL ?? `http://localhost:${env.PORT}`);
  return {
    port: env.PORT,
    host: env.HOST,
    productName: env.PRODUCT_NAME,
    siteUrl,
    publicApiUrl: withoutTrailingSlash(env.PUBLIC_API_URL ?? ''),
    dashboardUrl: env.DASHBOARD_URL && withoutTrailingSlash(env.DASHBOARD_URL),
    allowedOrigins: env.ALLOWED_ORIGINS ?? [new URL(siteUrl).origin],
    dataDir: env.DATA_DIR,
    database: databaseUrl === undefined ? { kind: 'bundled' } : { kind: 'url', url: databaseUrl },
    replicaUrl: env.DATABASE_READ_URL,
    demo:
      env.DEMO === undefined ? databaseUrl === undefined && isLoopback(env.HOST) : env.DEMO === '1',
    secretKey: env.SECRET_KEY,
    holdMinutes: env.HOLD_MINUTES,
    offerHours: env.OFFER_HOURS,
    rateLimit: env.RATE_LIMIT === 'on',
    pageCacheBytes: env.PAGE_CACHE_MB * 1024 * 1024,
    cdn: readCdn(env),
    bucket: readBucket(env),
    mailFrom:
      env.MAIL_FROM ??
      `${env.PRODUCT_NAME.replace(/[<>\r\n]/g, '')} <no-reply@${new URL(siteUrl).hostname}>`,
    smtpUrl: env.SMTP_URL,
    billing: readBilling(env),
    superuser:
      FIRST_SUPERUSER_EMAIL !== undefined && FIRST_SUPERUSER_PASSWORD !== undefined
        ? { email: FIRST_SUPERUSER_EMAIL, password: FIRST_SUPERUSER_PASSWORD }
        : undefined,
  };
}

/** What works as it is set, and is likely not what was meant. */
export function checkConfig({
  smtpUrl,
  siteUrl,
}: Pick<Config, 'smtpUrl' | 'siteUrl'>): readonly string[] {
  return smtpUrl !== undefined && isLoopback(new URL(siteUrl).hostname)
    ? [`Links in mails lead to ${siteUrl}, which only this machine finds: set SITE_URL.`]
    : [];
}

/** All or none of them. */
const CLOUDFLARE_SETTINGS = ['CLOUDFLARE_ZONE_ID', 'CLOUDFLARE_API_TOKEN'] as const;
const FASTLY_SETTINGS = ['FASTLY_SERVICE_ID', 'FASTLY_API_TOKEN'] as const;

function readCdn(env: z.output<typeof Environment>): CdnConfig {
  const { CLOUDFLARE_ZONE_ID: zone, CLOUDFLARE_API_TOKEN: zoneToken } = env;
  const { FASTLY_SERVICE_ID: service, FASTLY_API_TOKEN: serviceToken } = env;
  return {
    varnishUrls: env.VARNISH_URLS ?? [],
    cloudflare:
      zone !== undefined && zoneToken !== undefined
        ? { id: zone, apiToken: zoneToken, apiBase: withoutTrailingSlash(env.CLOUDFLARE_API_BASE) }
        : undefined,
    fastly:
      service !== undefined && serviceToken !== undefined
        ? {
            id: service,
            apiToken: serviceToken,
            apiBase: withoutTrailingSlash(env.FASTLY_API_BASE),
          }
        : undefined,
  };
}

/** All or none of them. */
const BUCKET_SETTINGS = [
  'S3_ENDPOINT',
  'S3_BUCKET',
  'S3_ACCESS_KEY_ID',
  'S3_SECRET_ACCESS_KEY',
] as const;

function readBucket(env: z.output<typeof Environment>): Bucket | undefined {
  const { S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } = env;
  if (!S3_ENDPOINT || !S3_BUCKET || !S3_ACCESS_KEY_ID || !S3_SECRET_ACCESS_KEY) return undefined;
  const endpoint = withoutTrailingSlash(S3_ENDPOINT);
  return {
    endpoint,
    name: S3_BUCKET,
    accessKeyId: S3_ACCESS_KEY_ID,
    secretAccessKey: S3_SECRET_ACCESS_KEY,
    region: env.S3_REGION,
    publicUrl: withoutTrailingSlash(env.S3_PUBLIC_URL ?? `${endpoint}/${S3_BUCKET}`),
  };
}

/** All or none of them. */
const BILLING_SETTINGS = ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET', 'STRIPE_PRICE_ID'] as const;

function readBilling(env: z.output<typeof Environment>): StripeAccount | undefined {
  const { STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET, STRIPE_PRICE_ID } = env;
  if (!STRIPE_SECRET_KEY || !STRIPE_WEBHOOK_SECRET || !STRIPE_PRICE_ID) return undefined;
  return {
    secretKey: STRIPE_SECRET_KEY,
    webhookSecret: STRIPE_WEBHOOK_SECRET,
    priceId: STRIPE_PRICE_ID,
    apiBase: env.STRIPE_API_BASE && withoutTrailingSlash(env.STRIPE_API_BASE),
  };
}

/** Settings that others call for. */
function* listMissingSettings(set: Readonly<Record<string, unknown>>): Generator<string> {
  for (const [name, other] of [
    ['SECRET_KEY', 'DATABASE_URL'],
    ['DATABASE_URL', 'DATABASE_READ_URL'],
    ['FIRST_SUPERUSER_EMAIL', 'FIRST_SUPERUSER_PASSWORD'],
    ['FIRST_SUPERUSER_PASSWORD', 'FIRST_SUPERUSER_EMAIL'],
  ] as const)
    if (set[other] && !set[name]) yield `${name} must be set, since ${other} is`;
  for (const [needed, also] of [
    [BUCKET_SETTINGS, 'S3_PUBLIC_URL'],
    [CLOUDFLARE_SETTINGS, 'CLOUDFLARE_API_BASE'],
    [FASTLY_SETTINGS, 'FASTLY_API_BASE'],
    [BILLING_SETTINGS, 'STRIPE_API_BASE'],
  ] as const) {
    const one = [...needed, also].find((name) => set[name]);
    for (const name of one ? needed : [])
      if (!set[name]) yield `${name} must be set, since ${one} is`;
  }
}

function withoutTrailingSlash(url: string): string {
  return url.replace(/\/+$/, '');
}
