import { trustedOrigins } from '#domain/requests/foreign_post.ts';
import { DEFAULT_RETENTION, RETENTION_SETTINGS, type Retention } from '#domain/retention.ts';

/** Settings of the site's pages. They are read per request, so that one build serves every host. */
export interface SiteSettings {
  readonly productName: string;
  /** Public origin, without a slash at its end: for links that must be absolute. */
  readonly siteUrl: string;
  /** Where browsers reach the API; '' is the site's own origin. */
  readonly publicApiUrl: string;
  /** Where browsers load pictures from, when that is neither the site nor the API; else ''. */
  readonly imagesUrl: string;
  /** The origins whose pages may post: the site's, the dashboard's, and those of ALLOWED_ORIGINS. */
  readonly trustedOrigins: readonly string[];
  readonly loginUrl: string;
  readonly signupUrl: string;
  /** How long personal data are kept, as the privacy page says. */
  readonly retention: Retention;
}

/**
 * @param read a setting by the name of its environment variable
 * @param fallbackUrl the public origin when SITE_URL is not set
 */
export function readSiteSettings(
  read: (name: string) => string | undefined,
  fallbackUrl: string,
): SiteSettings {
  const retained = (time: keyof Retention) => {
    const value = Number(read(RETENTION_SETTINGS[time]) || DEFAULT_RETENTION[time]);
    // Only a site on another host comes here with an invalid value: our own server refuses to start with it.
    return Number.isSafeInteger(value) && value >= 0 ? value : DEFAULT_RETENTION[time];
  };
  const dashboard = read('DASHBOARD_URL')?.replace(/\/+$/, '') ?? '';
  const siteUrl = new URL(read('SITE_URL') || fallbackUrl).origin;
  const allowed = read('ALLOWED_ORIGINS')?.split(/[\s,]+/) ?? [];
  return {
    productName: read('PRODUCT_NAME') || 'Linework',
    siteUrl,
    publicApiUrl: (read('PUBLIC_API_URL') ?? '').replace(/\/+$/, ''),
    imagesUrl: read('S3_PUBLIC_URL') || read('S3_ENDPOINT') || '',
    trustedOrigins: trustedOrigins([siteUrl, dashboard, ...allowed]),
    loginUrl: `${dashboard}/login`,
    signupUrl: `${dashboard}/signup`,
    retention: {
      appointmentDetailsMonths: retained('appointmentDetailsMonths'),
      messagesMonths: retained('messagesMonths'),
      mailsDays: retained('mailsDays'),
      paymentEventsMonths: retained('paymentEventsMonths'),
    },
  };
}
