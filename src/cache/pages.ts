import { isReservedUsername, USERNAME_PATTERN } from '#domain/accounts/username.ts';

/** The query parameters with which a page is cached, by the route of the page. */
export const PAGE_PARAMETERS = {
  '/explore': ['city', 'style', 'after', 'closed_after'],
  '/[username]': ['placement', 'size', 'free'],
  '/[username]/scheduling': ['service', 'design'],
} as const;

const CLIENT_PAGE = /^\/[^/]+\/confirmation\//;

const PAGES = Object.entries(PAGE_PARAMETERS).map(([route, parameters]) => ({
  path: new RegExp(`^${route.replace('[username]', '(?<username>[^/]+)')}$`),
  parameters,
}));

/** The names of the query parameters with which a page is cached. @param path without a slash at its end */
export function pageParameters(path: string): readonly string[] {
  for (const page of PAGES) {
    const found = page.path.exec(path);
    const username = found?.groups?.['username'];
    // Only where an artist can be: otherwise, anyone could fill the cache with pages of made-up usernames.
    if (found && (username === undefined || isUsername(username))) return page.parameters;
  }
  return [];
}

/** Whether the page at a path is for one client alone, so that no cache may store it. */
export function isClientPage(path: string): boolean {
  return CLIENT_PAGE.test(path);
}

/** Reads these query parameters of a URL; those that it does not have are left out. */
export function readParameters<Name extends string>(
  { searchParams }: URL,
  names: readonly Name[],
): Partial<Record<Name, string>> {
  const query: Partial<Record<Name, string>> = {};
  for (const name of names) {
    const value = searchParams.get(name);
    if (value !== null) query[name] = value;
  }
  return query;
}

function isUsername(name: string): boolean {
  return USERNAME_PATTERN.test(name) && !isReservedUsername(name);
}
