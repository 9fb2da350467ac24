/** Turns the settings (settings.ts) into the server's configuration. */
import { availableParallelism } from 'node:os';
import * as z from 'zod/mini';
import { trustedOrigins } from '#domain/requests/foreign_post.ts';
import { isLoopback, LOCAL_PROXIES } from '#server/http/ip_address.ts';
import { readSecretFiles } from './secret_files.ts';
import { Environment, RULES, type Variables } from './settings.ts';

/** The settings of docs/settings.md, in the form that the server uses. */
export type Config = Readonly<ReturnType<typeof toConfig>>;

/** The error of a setting that prevents the start; the operator sees only the message. */
export class ConfigError extends Error {}

/**
 * Turns an error of `work` into a ConfigError, because the operator can mend it.
 * @param describe returns the message: one sentence with the remedy
 */
export async function rethrowAsConfigError<T>(
  work: Promise<T>,
  describe = (error: Error) => error.message,
): Promise<T> {
  try {
    return await work;
  } catch (error) {
    // A TypeError is a mistake in our code: the developer needs its stack trace.
    if (!(error instanceof Error) || error instanceof TypeError) throw error;
    throw error instanceof ConfigError ? error : new ConfigError(describe(error), { cause: error });
  }
}

/** If any setting of a line is set, all settings of its first list must be. */
const TOGETHER: readonly (readonly [required: string[], dependent: string[]])[] = [
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

/**
 * Reads the settings, and the files of secrets that they name.
 * @param variables an empty value counts as unset
 * @throws ConfigError that names every invalid setting
 */
export function readConfig(variables: Variables, pipeTimeoutMs?: number): Config {
  const { values, fileErrors } = readSecretFiles(variables, pipeTimeoutMs);
  /** Whether a value comes from the file of a secret: then the variable itself is not set. */
  const isFromFile = (name: string) => !variables[name] && values[name] !== undefined;
  const parsed = z.safeParse(Environment, values);
  // A secret whose file cannot be read is set, though wrongly.
  const present = { ...values, ...Object.fromEntries(fileErrors) };
  const errors = [...fileErrors.values(), ...listMissingSettings(present)];
  const invalidNames = new Set(parsed.error?.issues.map(({ path }) => String(path[0])));
  const describe = (name: string) => (isFromFile(name) ? `${name} (of ${name}_FILE)` : name);
  for (const [name, rule] of RULES)
    if (invalidNames.has(name))
      errors.push(`${describe(name)} ${rule === undefined ? 'is not valid' : `must be ${rule}`}`);
  const { PORT, METRICS_PORT } = parsed.data ?? {};
  // With 0, the operating system chooses two different ports.
  if (PORT !== undefined && PORT !== 0 && PORT === METRICS_PORT)
    errors.push('METRICS_PORT must be another port than PORT');
  if (!parsed.success || errors.length > 0)
    throw new ConfigError(`These settings are wrong:\n  ${errors.join('\n  ')}`);
  return toConfig(parsed.data);
}

function listMissingSettings(values: Readonly<Record<string, unknown>>): string[] {
  return TOGETHER.flatMap(([required, dependent]) => {
    const present = [...required, ...dependent].find((name) => values[name]);
    if (present === undefined) return [];
    const missing = required.filter((name) => !values[name]);
    return missing.map((name) => `${name} must be set, since ${present} is`);
  });
}

function toConfig(env: Environment) {
  const siteUrl = env.SITE_URL ?? `http://localhost:${env.PORT}`;
  const url = env.DATABASE_URL;
  const stripe = unlessIncomplete({
    secretKey: env.STRIPE_SECRET_KEY,
    webhookSecret: env.STRIPE_WEBHOOK_SECRET,
    priceId: env.STRIPE_PRICE_ID,
  });
  return {
    port: env.PORT,
    host: env.HOST,
    workers: env.WORKERS === 'auto' ? availableParallelism() : env.WORKERS,
    stopDelaySeconds: env.STOP_DELAY_SECONDS,
    productName: env.PRODUCT_NAME,
    siteUrl,
    /** '' if browsers find the API at `siteUrl`. */
    publicApiUrl: env.PUBLIC_API_URL ?? '',
    allowedOrigins: env.ALLOWED_ORIGINS ?? [new URL(siteUrl).origin],
    /** The origins whose pages may post: those above, and the site's and the dashboard's own. */
    trustedOrigins: trustedOrigins([siteUrl, env.DASHBOARD_URL, ...(env.ALLOWED_ORIGINS ?? [])]),
    dataDir: env.DATA_DIR,
    log: { format: env.LOG_FORMAT, level: env.LOG_LEVEL },
    backupDir: env.BACKUP_DIR,
    backupKeep: env.BACKUP_KEEP,
    database: url === undefined ? { kind: 'bundled' as const } : { kind: 'url' as const, url },
    allowsNewerDatabase: env.ALLOW_NEWER_DATABASE === '1',
    databaseConnections: env.DATABASE_CONNECTIONS,
    replicaUrl: env.DATABASE_READ_URL,
    // On by default only with the bundled database, and if only this machine can reach our server.
    demo: env.DEMO === undefined ? url === undefined && isLoopback(env.HOST) : env.DEMO === '1',
    /** Unset only with the bundled database: then a file in `dataDir` has it. */
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
    hasLimitsPerTime: env.RATE_LIMIT === 'on',
    trustedProxies: env.TRUSTED_PROXIES ?? LOCAL_PROXIES,
    healthToken: env.HEALTH_TOKEN,
    metrics: unlessIncomplete({ host: env.METRICS_HOST, port: env.METRICS_PORT }),
    pageCacheBytes: env.PAGE_CACHE_MB * 1024 * 1024,
    cdn: {
      varnishUrls: env.VARNISH_URLS ?? [],
      cloudflare: unlessIncomplete({
        id: env.CLOUDFLARE_ZONE_ID,
        apiToken: env.CLOUDFLARE_API_TOKEN,
        apiBase: env.CLOUDFLARE_API_BASE,
      }),
      fastly: unlessIncomplete({
        id: env.FASTLY_SERVICE_ID,
        apiToken: env.FASTLY_API_TOKEN,
        apiBase: env.FASTLY_API_BASE,
      }),
    },
    /** Unset, a folder in `dataDir` stores the images. */
    bucket: unlessIncomplete({
      endpoint: env.S3_ENDPOINT,
      name: env.S3_BUCKET,
      accessKeyId: env.S3_ACCESS_KEY_ID,
      secretAccessKey: env.S3_SECRET_ACCESS_KEY,
      region: env.S3_REGION,
      publicUrl: env.S3_PUBLIC_URL ?? `${env.S3_ENDPOINT}/${env.S3_BUCKET}`,
    }),
    mailFrom:
      env.MAIL_FROM ??
      `${env.PRODUCT_NAME.replace(/[<>\r\n]/g, '')} <no-reply@${new URL(siteUrl).hostname}>`,
    smtpUrl: env.SMTP_URL,
    billing: stripe && { ...stripe, apiBase: env.STRIPE_API_BASE },
    superuser: unlessIncomplete({
      email: env.FIRST_SUPERUSER_EMAIL,
      password: env.FIRST_SUPERUSER_PASSWORD,
    }),
  };
}

type Complete<T> = { readonly [Name in keyof T]: Exclude<T[Name], undefined> };

/** The settings of a part of the server; undefined unless all of them are set, so that the part is off. */
function unlessIncomplete<T extends object>(settings: T): Complete<T> | undefined {
  return isComplete(settings) ? settings : undefined;
}

function isComplete<T extends object>(settings: T): settings is T & Complete<T> {
  return Object.values(settings).every((value) => value !== undefined);
}
