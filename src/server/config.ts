/** Turns the settings (settings.ts) into the server's configuration. */
import { availableParallelism } from 'node:os';
import * as z from 'zod/mini';
import { trustedOrigins } from '#domain/foreign_post.ts';
import type { Retention } from '#domain/retention.ts';
import type { CdnConfig } from './cache/cdn/cdns.ts';
import { errorCode } from './database/error_code.ts';
import type { Bucket } from './images/s3_store.ts';
import { isLoopback, LOCAL_PROXIES, type TrustedProxies } from './ip_address.ts';
import type { LogConfig } from './log_config.ts';
import type { StripeAccount } from './payments/stripe.ts';
import { Environment, RULES, SECRETS } from './settings.ts';

export interface Config {
  readonly port: number;
  /** The host name or IP address on which our server listens. */
  readonly host: string;
  /** How many processes serve requests. */
  readonly workers: number;
  /** How long a server that stops still serves, so that proxies notice. */
  readonly stopDelaySeconds: number;
  readonly productName: string;
  /** The address where browsers find the pages. */
  readonly siteUrl: string;
  /** The address where browsers find the API; '' if it is the same as `siteUrl`. */
  readonly publicApiUrl: string;
  /** Sites whose scripts may read API responses (CORS). */
  readonly allowedOrigins: readonly string[];
  /** The origins whose pages may post: those above, and the site's and the dashboard's own. */
  readonly trustedOrigins: readonly string[];
  readonly dataDir: string;
  readonly log: LogConfig;
  /** The folder of the nightly backups. If unset, none are made. */
  readonly backupDir: string | undefined;
  /** How many nightly backups are kept. */
  readonly backupKeep: number;
  readonly database: { readonly kind: 'bundled' } | { readonly kind: 'url'; readonly url: string };
  /** Whether to run on a database that a newer version has migrated, if its migrations allow it. */
  readonly allowsNewerDatabase: boolean;
  /** A replica of `database`, for public reads. */
  readonly replicaUrl: string | undefined;
  /** Whether to create demo artists at the start. */
  readonly demo: boolean;
  /** Signs access tokens. Unset only with the bundled database: then a file in `dataDir` has it. */
  readonly secretKey: string | undefined;
  /** An earlier `secretKey`: what it has signed stays valid. */
  readonly previousSecretKey: string | undefined;
  /** Signs the addresses of visitors of a site on another host; unset, none is believed. */
  readonly visitorKey: string | undefined;
  /** How long an unconfirmed booking reserves its time. */
  readonly holdMinutes: number;
  /** How long an artist's offer of a time reserves this time. */
  readonly offerHours: number;
  /** How long personal data are kept. */
  readonly retention: Retention;
  /** Whether rate limits are on. */
  readonly rateLimit: boolean;
  /** The proxies that tell us the addresses of their clients. */
  readonly trustedProxies: TrustedProxies;
  /** Lets monitoring read the state of each part; if unset, nobody can. */
  readonly healthToken: string | undefined;
  /** Where Prometheus finds the metrics; unset, nothing is counted. */
  readonly metrics: { readonly host: string; readonly port: number } | undefined;
  readonly pageCacheBytes: number;
  /** The CDNs in front of our server, which are purged when a page changes. */
  readonly cdn: CdnConfig;
  /** The S3 bucket that stores images; unset, a folder in `dataDir` stores them. */
  readonly bucket: Bucket | undefined;
  /** The sender of mails: an address, or a name and an address. */
  readonly mailFrom: string;
  /** If unset, our server writes mails to files and sends none. */
  readonly smtpUrl: string | undefined;
  /** If unset, billing is off. */
  readonly billing: StripeAccount | undefined;
  /** A user who may manage all accounts; created at the start unless such a user exists. */
  readonly superuser: { readonly email: string; readonly password: string } | undefined;
}

/** The error of a setting that prevents the start; the operator sees only the message. */
export class ConfigError extends Error {}

/** Wraps errors of folders and of the bundled database, because the operator can mend them. */
export async function rethrowAsConfigError<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    // A TypeError is a mistake in our code: the developer needs its stack trace.
    if (!(error instanceof Error) || error instanceof TypeError) throw error;
    throw new ConfigError(error.message, { cause: error });
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL_CHARACTER = /[\x00-\x1f\x7f]/;

/** The environment variables of a process. */
export type Variables = Readonly<Record<string, string | undefined>>;

/**
 * @param variables such as `process.env`; an empty value counts as unset
 * @param readFile returns the text of a file that a setting such as `SECRET_KEY_FILE` names
 * @throws ConfigError that names every invalid setting
 */
export function readConfig(
  variables: Variables,
  readFile: (path: string) => string = refuseFile,
): Config {
  const { values, fileErrors } = readSecretFiles(variables, readFile);
  const isFromFile = (name: string) => !variables[name] && values[name] !== undefined;
  const parsed = z.safeParse(Environment, values);
  // A secret whose file cannot be read is set, though wrongly.
  const present = { ...values, ...Object.fromEntries(fileErrors) };
  const errors = [...fileErrors.values(), ...listMissingSettings(present)];
  const invalidNames = new Set(parsed.error?.issues.map(({ path }) => String(path[0])));
  const describe = (name: string) => (isFromFile(name) ? `${name} (of ${name}_FILE)` : name);
  for (const [name, rule] of RULES)
    if (invalidNames.delete(name)) errors.push(`${describe(name)} must be ${rule}`);
  for (const name of invalidNames) errors.push(`${describe(name)} is not valid`);
  if (parsed.data?.METRICS_PORT === parsed.data?.PORT && parsed.data?.PORT)
    errors.push('METRICS_PORT must be another port than PORT');
  if (!parsed.success || errors.length > 0)
    throw new ConfigError(`These settings are wrong:\n  ${errors.join('\n  ')}`);
  const env = parsed.data;
  const { FIRST_SUPERUSER_EMAIL, FIRST_SUPERUSER_PASSWORD } = env;
  const databaseUrl = env.DATABASE_URL;
  const siteUrl = env.SITE_URL ?? `http://localhost:${env.PORT}`;
  return {
    port: env.PORT,
    host: env.HOST,
    workers: env.WORKERS === 'auto' ? availableParallelism() : env.WORKERS,
    stopDelaySeconds: env.STOP_DELAY_SECONDS,
    productName: env.PRODUCT_NAME,
    siteUrl,
    publicApiUrl: env.PUBLIC_API_URL ?? '',
    allowedOrigins: env.ALLOWED_ORIGINS ?? [new URL(siteUrl).origin],
    trustedOrigins: trustedOrigins([siteUrl, env.DASHBOARD_URL, ...(env.ALLOWED_ORIGINS ?? [])]),
    dataDir: env.DATA_DIR,
    log: { format: env.LOG_FORMAT, level: env.LOG_LEVEL },
    backupDir: env.BACKUP_DIR,
    backupKeep: env.BACKUP_KEEP,
    database: databaseUrl === undefined ? { kind: 'bundled' } : { kind: 'url', url: databaseUrl },
    allowsNewerDatabase: env.ALLOW_NEWER_DATABASE === '1',
    replicaUrl: env.DATABASE_READ_URL,
    // On by default only with the bundled database, and if only this machine can reach our server.
    demo:
      env.DEMO === undefined ? databaseUrl === undefined && isLoopback(env.HOST) : env.DEMO === '1',
    secretKey: env.SECRET_KEY,
    previousSecretKey: env.SECRET_KEY_PREVIOUS,
    visitorKey: env.VISITOR_KEY,
    holdMinutes: env.HOLD_MINUTES,
    offerHours: env.OFFER_HOURS,
    retention: {
      appointmentDetailsMonths: env.RETAIN_APPOINTMENT_DETAILS_MONTHS,
      messagesMonths: env.RETAIN_MESSAGES_MONTHS,
      mailsDays: env.RETAIN_MAILS_DAYS,
      paymentEventsMonths: env.RETAIN_PAYMENT_EVENTS_MONTHS,
    },
    rateLimit: env.RATE_LIMIT === 'on',
    trustedProxies: env.TRUSTED_PROXIES ?? LOCAL_PROXIES,
    healthToken: env.HEALTH_TOKEN,
    metrics:
      env.METRICS_PORT === undefined
        ? undefined
        : { host: env.METRICS_HOST, port: env.METRICS_PORT },
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

/**
 * Replaces settings such as `SECRET_KEY_FILE` by the secret in their file, without the line breaks at
 * its end.
 * @returns the settings that are not empty, and an error for each secret that cannot be read
 */
export function readSecretFiles(
  variables: Variables,
  readFile: (path: string) => string,
): { values: Record<string, string>; fileErrors: ReadonlyMap<string, string> } {
  const values: Record<string, string> = {};
  for (const [name, value] of Object.entries(variables)) if (value) values[name] = value;
  const fileErrors = new Map<string, string>();
  for (const name of SECRETS) {
    const setting = `${name}_FILE`;
    const path = values[setting];
    if (path === undefined) continue;
    if (values[name] !== undefined) {
      fileErrors.set(name, `${name} and ${setting} are both set: remove one of them`);
      continue;
    }
    try {
      const secret = readFile(path)
        .replace(/^\uFEFF/, '')
        .replace(/[\r\n]+$/, '');
      if (CONTROL_CHARACTER.test(secret))
        fileErrors.set(name, `${setting} must be a file of one line of text: ${path} is not`);
      else if (secret !== '') values[name] = secret;
      else fileErrors.set(name, `${setting} names an empty file, ${path}: write the secret to it`);
    } catch (error) {
      fileErrors.set(
        name,
        `${setting} must be a file that this user may read: ${path} ${describeFileError(error)}`,
      );
    }
  }
  return { values, fileErrors };
}

/** Codes of our own for a file of a secret that is a pipe. */
export const PIPE_TIMEOUT = 'PIPE_TIMEOUT';
export const PIPE_WITH_WORKERS = 'PIPE_WITH_WORKERS';

function refuseFile(): never {
  throw new Error('no file may be read here');
}

function describeFileError(error: unknown): string {
  const code = errorCode(error);
  if (code === 'ENOENT') return 'does not exist';
  if (code === 'EACCES') return 'is closed to this user';
  if (code === 'EISDIR') return 'is a folder';
  if (code === PIPE_TIMEOUT) return 'is a pipe that gave no whole secret in time';
  if (code === PIPE_WITH_WORKERS)
    return 'is a pipe, which only one process can read, and not WORKERS';
  return `cannot be read (${code ?? error})`;
}

function readCdn(env: Environment): CdnConfig {
  const { CLOUDFLARE_ZONE_ID: zoneId, CLOUDFLARE_API_TOKEN: zoneToken } = env;
  const { FASTLY_SERVICE_ID: serviceId, FASTLY_API_TOKEN: serviceToken } = env;
  return {
    varnishUrls: env.VARNISH_URLS ?? [],
    cloudflare:
      zoneId !== undefined && zoneToken !== undefined
        ? { id: zoneId, apiToken: zoneToken, apiBase: env.CLOUDFLARE_API_BASE }
        : undefined,
    fastly:
      serviceId !== undefined && serviceToken !== undefined
        ? { id: serviceId, apiToken: serviceToken, apiBase: env.FASTLY_API_BASE }
        : undefined,
  };
}

function readBucket(env: Environment): Bucket | undefined {
  const { S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } = env;
  if (!S3_ENDPOINT || !S3_BUCKET || !S3_ACCESS_KEY_ID || !S3_SECRET_ACCESS_KEY) return undefined;
  return {
    endpoint: S3_ENDPOINT,
    name: S3_BUCKET,
    accessKeyId: S3_ACCESS_KEY_ID,
    secretAccessKey: S3_SECRET_ACCESS_KEY,
    region: env.S3_REGION,
    publicUrl: env.S3_PUBLIC_URL ?? `${S3_ENDPOINT}/${S3_BUCKET}`,
  };
}

function readBilling(env: Environment): StripeAccount | undefined {
  const { STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET, STRIPE_PRICE_ID, STRIPE_API_BASE } = env;
  if (!STRIPE_SECRET_KEY || !STRIPE_WEBHOOK_SECRET || !STRIPE_PRICE_ID) return undefined;
  return {
    secretKey: STRIPE_SECRET_KEY,
    webhookSecret: STRIPE_WEBHOOK_SECRET,
    priceId: STRIPE_PRICE_ID,
    apiBase: STRIPE_API_BASE,
  };
}

function listMissingSettings(values: Readonly<Record<string, unknown>>): string[] {
  // If one setting of a pair is set, all settings of its first list must be set.
  const requirements: readonly (readonly [required: string[], dependent: string[]])[] = [
    [['SECRET_KEY'], ['DATABASE_URL']],
    [['DATABASE_URL'], ['DATABASE_READ_URL']],
    [['METRICS_PORT'], ['METRICS_HOST']],
    [['BACKUP_DIR'], ['BACKUP_KEEP']],
    [['FIRST_SUPERUSER_EMAIL', 'FIRST_SUPERUSER_PASSWORD'], []],
    [['S3_ENDPOINT', 'S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'], ['S3_PUBLIC_URL']],
    [['CLOUDFLARE_ZONE_ID', 'CLOUDFLARE_API_TOKEN'], ['CLOUDFLARE_API_BASE']],
    [['FASTLY_SERVICE_ID', 'FASTLY_API_TOKEN'], ['FASTLY_API_BASE']],
    [['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET', 'STRIPE_PRICE_ID'], ['STRIPE_API_BASE']],
  ];
  return requirements.flatMap(([required, dependent]) => {
    const present = [...required, ...dependent].find((name) => values[name]);
    if (present === undefined) return [];
    const missing = required.filter((name) => !values[name]);
    return missing.map((name) => `${name} must be set, since ${present} is`);
  });
}
