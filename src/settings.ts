/** What the site's pages are told by whoever runs it; read per request, so that one build serves all. */
export interface SiteSettings {
  readonly productName: string;
  /** Public origin, for canonical and calendar links and the sitemap. */
  readonly siteUrl: string;
  /** Where browsers find the API; '' is the site's own origin. */
  readonly publicApiUrl: string;
  /** Where browsers find pictures, when that is neither the site nor the API; else ''. */
  readonly imagesUrl: string;
  /** Where Artist Login and Get Started lead. */
  readonly loginUrl: string;
  readonly signupUrl: string;
}

/** Settings from an environment such as `process.env` or an edge host's bindings. */
export function siteSettings(
  environment: Readonly<Record<string, string | undefined>>,
  fallbackUrl: string,
): SiteSettings {
  const dashboard = environment['DASHBOARD_URL']?.replace(/\/+$/, '') ?? '';
  return {
    productName: environment['PRODUCT_NAME'] || 'Linework',
    siteUrl: (environment['SITE_URL'] || fallbackUrl).replace(/\/+$/, ''),
    publicApiUrl: (environment['PUBLIC_API_URL'] ?? '').replace(/\/+$/, ''),
    imagesUrl: environment['S3_PUBLIC_URL'] || environment['S3_ENDPOINT'] || '',
    loginUrl: `${dashboard}/login`,
    signupUrl: `${dashboard}/signup`,
  };
}
