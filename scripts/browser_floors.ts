export type BrowserFloor = Readonly<Record<(typeof BROWSERS)[number], number>>;
export type PageGroup = 'clients' | 'studio';

/** By their names in MDN's compatibility data. */
export const BROWSERS = ['safari', 'safari_ios', 'chrome', 'edge', 'firefox'] as const;

/**
 * The oldest versions that are supported (docs/decisions, 0072). `clients` are all pages outside of the
 * studio, with login and sign-up.
 */
export const BROWSER_FLOORS: Readonly<Record<PageGroup, BrowserFloor>> = {
  clients: { safari: 16.4, safari_ios: 16.4, chrome: 111, edge: 111, firefox: 115 },
  studio: { safari: 17.5, safari_ios: 17.5, chrome: 123, edge: 123, firefox: 128 },
};

/** What the build lowers syntax and styles to. One target for all pages, because they share files. */
export const BUILD_TARGET = BROWSERS.map(
  (name) => `${name.replace('safari_', '')}${BROWSER_FLOORS.clients[name]}`,
);
