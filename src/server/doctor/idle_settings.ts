import { availableParallelism, totalmem } from 'node:os';
import { isLoopback } from '#server/http/ip_address.ts';
import { type Found, ok, warning } from './finding.ts';
import type { Check, DoctorParts } from './parts.ts';

/** Finds settings that are valid but do nothing, or probably something else than the operator means. */
export const checkIdleSettings: Check = async (parts) => {
  const findings = [
    ...listUseless(parts),
    ...listSuspicious(parts),
    ...listInsecure(parts),
    ...listStripe(parts),
  ];
  return findings.length > 0 ? findings : ok('Every setting has an effect.');
};

function* listUseless({ variables, config }: DoctorParts): Generator<Found> {
  if (variables['S3_REGION'] && !config.bucket)
    yield warning('S3_REGION does nothing without a bucket.', 'Set S3_BUCKET too, or remove it.');
  if (variables['MAIL_FROM'] && config.smtpUrl === undefined)
    yield warning('MAIL_FROM does nothing without SMTP_URL.', 'Set SMTP_URL, or remove it.');
  if (config.previousSecretKey !== undefined && config.previousSecretKey === config.secretKey)
    yield warning(
      'SECRET_KEY_PREVIOUS is the same as SECRET_KEY, so it does nothing.',
      'Set it to the previous key, or remove it.',
    );
  if (config.database.kind === 'url' && config.replicaUrl === config.database.url)
    yield warning(
      'DATABASE_READ_URL is the same as DATABASE_URL, so it does nothing.',
      'Let it name a replica, or remove it.',
    );
}

function* listSuspicious({ config }: DoctorParts): Generator<Found> {
  const { workers, pageCacheBytes, siteUrl, publicApiUrl, allowedOrigins } = config;
  const cores = availableParallelism();
  if (workers > cores)
    yield warning(
      `WORKERS=${workers} is more than the ${cores} cores of this machine, which makes it slower.`,
      'Set WORKERS=auto.',
    );
  if (workers * pageCacheBytes > totalmem() / 2)
    yield warning(
      'The page caches of all WORKERS may take more than half of the memory.',
      'Lower PAGE_CACHE_MB or WORKERS.',
    );
  if (!config.hasLimitsPerTime)
    yield warning(
      'RATE_LIMIT=off lifts all limits against abuse.',
      'Remove it, unless this is a load test.',
    );
  const apiOrigin = publicApiUrl && new URL(publicApiUrl).origin;
  if (apiOrigin && apiOrigin !== siteUrl && !allowedOrigins.includes(siteUrl))
    yield warning(
      `ALLOWED_ORIGINS lacks SITE_URL, so pages at ${siteUrl} may not call the API at ${apiOrigin}.`,
      `Add ${siteUrl} to ALLOWED_ORIGINS.`,
    );
}

/** Browsers refuse to load these from a page that came by HTTPS. */
function listInsecure({ config }: DoctorParts): Found[] {
  if (!config.siteUrl.startsWith('https:')) return [];
  const addresses = {
    PUBLIC_API_URL: config.publicApiUrl,
    S3_PUBLIC_URL: config.bucket?.publicUrl,
  };
  return Object.entries(addresses)
    .filter(([, url]) => url?.startsWith('http:') && !isLoopback(new URL(url).hostname))
    .map(([name, url]) =>
      warning(
        `${name} (${url}) begins with http:, and browsers load nothing from there into pages of HTTPS.`,
        `Set ${name} to an address that begins with https:.`,
      ),
    );
}

/** Stripe's values begin with their kind. */
function listStripe({ config }: DoctorParts): Found[] {
  const { billing } = config;
  // Another provider's values may begin as they like.
  if (!billing || billing.apiBase !== undefined) return [];
  const beginnings = [
    ['STRIPE_SECRET_KEY', billing.secretKey, /^[sr]k_/, 'sk_ or rk_'],
    ['STRIPE_WEBHOOK_SECRET', billing.webhookSecret, /^whsec_/, 'whsec_'],
    ['STRIPE_PRICE_ID', billing.priceId, /^price_/, 'price_'],
  ] as const;
  return beginnings
    .filter(([, value, pattern]) => !pattern.test(value))
    .map(([name, , , beginning]) =>
      warning(
        `${name} does not begin with ${beginning}, so it is probably another value of Stripe.`,
        `Copy ${name} again from Stripe’s dashboard.`,
      ),
    );
}
