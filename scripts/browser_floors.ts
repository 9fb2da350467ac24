/** The supported browsers, as MDN's compatibility data name them. */
export const BROWSERS = ['safari', 'safari_ios', 'chrome', 'edge', 'firefox'] as const;

/** The oldest supported version of each browser. */
export type BrowserFloor = Readonly<Record<(typeof BROWSERS)[number], number>>;

/** `clients`: all pages outside of the studio, with login and sign-up. */
export type PageGroup = 'clients' | 'studio';

/** The oldest supported browsers (docs/decisions, 0072). */
export const BROWSER_FLOORS: Readonly<Record<PageGroup, BrowserFloor>> = {
  clients: { safari: 16.4, safari_ios: 16.4, chrome: 111, edge: 111, firefox: 115 },
  studio: { safari: 17.5, safari_ios: 17.5, chrome: 123, edge: 123, firefox: 128 },
};

/** The browsers for which the build rewrites newer syntax. One target for all pages, because they share files. */
export const BUILD_TARGET = BROWSERS.map(
  (name) => `${name.replace('safari_', '')}${BROWSER_FLOORS.clients[name]}`,
);
