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

/**
 * Settings of whoever runs the site.
 * @param read a setting by its name, wherever the host keeps them
 * @param fallbackUrl the public origin, when none is set
 */
export function readSiteSettings(
  read: (name: string) => string | undefined,
  fallbackUrl: string,
): SiteSettings {
  const dashboard = read('DASHBOARD_URL')?.replace(/\/+$/, '') ?? '';
  return {
    productName: read('PRODUCT_NAME') || 'Linework',
    siteUrl: (read('SITE_URL') || fallbackUrl).replace(/\/+$/, ''),
    publicApiUrl: (read('PUBLIC_API_URL') ?? '').replace(/\/+$/, ''),
    imagesUrl: read('S3_PUBLIC_URL') || read('S3_ENDPOINT') || '',
    loginUrl: `${dashboard}/login`,
    signupUrl: `${dashboard}/signup`,
  };
}
