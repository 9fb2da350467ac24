import * as z from 'zod/mini';
import { abuse } from './abuse.ts';
import { accountSecurity } from './account_security.ts';
import { accounts } from './accounts.ts';
import { admin } from './admin.ts';
import { appointments } from './appointments.ts';
import { billing } from './billing.ts';
import { clients } from './clients.ts';
import { designs } from './designs.ts';
import { dataExports } from './exports.ts';
import { images } from './images.ts';
import { login } from './login.ts';
import { mails } from './mails.ts';
import { messages } from './messages.ts';
import { passkeys } from './passkeys.ts';
import { passwordRecovery } from './password_recovery.ts';
import { type Route, withoutEndSlash } from './route.ts';
import { services } from './services.ts';
import { users } from './users.ts';

/** All routes of the API. Of routes whose paths match the same, the first one answers. */
export const ROUTES: readonly Route[] = [
  ...users,
  ...login,
  ...passwordRecovery,
  ...services,
  ...designs,
  ...images,
  ...appointments,
  ...abuse,
  ...clients,
  ...messages,
  ...billing,
  ...mails,
  ...accountSecurity,
  ...passkeys,
  ...dataExports,
  ...admin,
  // Last, because `/users/:user_id` also matches paths of other routes, such as `/users/me`.
  ...accounts,
];

/** The routes whose responses the HTTP cache and CDNs may store. */
const CACHED_ROUTES = ROUTES.filter(({ isCached }) => isCached).map(
  ({ path, responseKind, input: { query } }) => ({
    isPicture: responseKind === 'jpeg',
    pattern: new RegExp(`^/api/v1${path.replaceAll(/:\w+/g, '[^/]+')}$`),
    parameters: query instanceof z.ZodMiniObject ? Object.keys(query.shape) : [],
  }),
);

/**
 * The names of the query parameters of a cached route; empty if the route has none.
 * @param path of a request, without a trailing slash
 * @returns undefined if no cached route has this path
 */
export function cachedQueryParameters(path: string): readonly string[] | undefined {
  return CACHED_ROUTES.find(({ pattern }) => pattern.test(path))?.parameters;
}

/** Whether a cached route answers this path, without a trailing slash, with a picture. */
export function isCachedPicture(path: string): boolean {
  return CACHED_ROUTES.some(({ isPicture, pattern }) => isPicture && pattern.test(path));
}

const ROUTES_BY_ENDPOINT = new Map(ROUTES.map((route) => [routeKey(route), route]));

/** Finds the route of an endpoint. @throws when there is none, which is a mistake in our code */
export function findRoute(endpoint: Pick<Route, 'method' | 'path'>): Route {
  const found = ROUTES_BY_ENDPOINT.get(routeKey(endpoint));
  if (!found) throw new Error(`No route for ${endpoint.method} ${endpoint.path}`);
  return found;
}

function routeKey({ method, path }: Pick<Route, 'method' | 'path'>): string {
  return `${method} ${withoutEndSlash(path)}`;
}
