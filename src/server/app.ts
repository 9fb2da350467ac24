/** The Hono app: serves the API, its documentation and the health checks. */
import { Hono } from 'hono';
import { cors } from 'hono/cors';
import { routePath } from 'hono/route';
import { en } from 'zod/locales';
import * as z from 'zod/mini';
import { InvalidInput, Refusal } from '#domain/refusal.ts';
import { accounts } from './api/accounts.ts';
import { appointments } from './api/appointments.ts';
import { billing } from './api/billing.ts';
import { clients } from './api/clients.ts';
import { designs } from './api/designs.ts';
import { refusalResponse, validationResponse } from './api/error_responses.ts';
import { images } from './api/images.ts';
import { InvalidRequest } from './api/input.ts';
import { login } from './api/login.ts';
import { mails } from './api/mails.ts';
import { messages } from './api/messages.ts';
import { drainBody } from './api/multipart.ts';
import { createOpenApiDocument } from './api/openapi_document.ts';
import { passwordRecovery } from './api/password_recovery.ts';
import type { Route } from './api/route.ts';
import { services } from './api/services.ts';
import { users } from './api/users.ts';
import { createApiDocs } from './api_docs.ts';
import type { Config } from './config.ts';
import { isDatabaseUnavailable, isMissingReference, isRetryable } from './database/connect.ts';
import { errorCode } from './database/error_code.ts';
import type { Context } from './operations/context.ts';
import { isReady } from './operations/readiness.ts';
import { type ConsumeRateLimit, createRateLimit, TooManyRequests } from './rate_limit.ts';

interface Bindings {
  /** The client's IP address, for the rate limits. */
  clientIp: string;
}
/** Node's error codes for a full disk and for a full disk quota of our system user. */
const DISK_FULL_CODES = new Set(['ENOSPC', 'EDQUOT']);

/** How long browsers cache a CORS preflight; Chromium's maximum. */
const PREFLIGHT_SECONDS = 7200;
/** The headers that Hono's `cors` sets beside `Access-Control-Allow-Origin`. */
const CORS_HEADERS = [
  'Access-Control-Allow-Credentials',
  'Access-Control-Allow-Headers',
  'Access-Control-Allow-Methods',
  'Access-Control-Expose-Headers',
  'Access-Control-Max-Age',
];

export type App = Hono<{ Bindings: Bindings }>;

const ROUTES: readonly Route[] = [
  ...users,
  ...login,
  ...passwordRecovery,
  ...services,
  ...designs,
  ...images,
  ...appointments,
  ...clients,
  ...messages,
  ...billing,
  ...mails,
  // Last, because `/users/:user_id` also matches paths of other routes, such as `/users/me`.
  ...accounts,
];

/** The routes whose responses the HTTP cache and CDNs may store. */
const CACHED_ROUTES = ROUTES.filter(({ isCached }) => isCached).map(
  ({ path, input: { query } }) => ({
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

export function createApp(
  context: Context,
  config: Pick<Config, 'productName' | 'allowedOrigins' | 'rateLimit'>,
  log: (line: string) => void,
): App {
  // Zod Mini has no error texts of its own, so use Zod's English ones. Schemas may override them.
  z.config(en());
  const consumeRateLimit: ConsumeRateLimit = config.rateLimit ? createRateLimit() : async () => {};
  // Not strict: a path may end with a slash.
  const app: App = new Hono<{ Bindings: Bindings }>({ strict: false });
  app.use(async (c, next) => {
    await next();
    if (!c.res.headers.has('Cache-Control')) c.header('Cache-Control', 'no-store');
    c.header('X-Content-Type-Options', 'nosniff');
  });
  app.use('/api/*', async (c, next) => {
    await next();
    // `cors` below sets these headers even for origins that are not allowed.
    if (!c.res.headers.has('Access-Control-Allow-Origin'))
      for (const name of CORS_HEADERS) c.res.headers.delete(name);
  });
  app.use(
    '/api/*',
    cors({
      origin: [...config.allowedOrigins],
      credentials: true,
      allowMethods: ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE'],
      exposeHeaders: ['Retry-After'],
      maxAge: PREFLIGHT_SECONDS,
    }),
  );
  for (const route of ROUTES) {
    app.on(route.method, `/api/v1${route.path}`, async ({ req, env }) => {
      if (route.rateLimit)
        await consumeRateLimit(route.rateLimit, env.clientIp).catch(async (error: unknown) => {
          // A client reads the response only after sending its whole file, so drain the body.
          if (route.bodyKind === 'multipart') await drainBody(req.raw);
          throw error;
        });
      return route.respond(context, req.raw, req.param());
    });
  }
  // The document is created at the first request, because creating it would slow down the start.
  let openApi: ReturnType<typeof createOpenApiDocument> | undefined;
  const getDocument = () => (openApi ??= createOpenApiDocument(ROUTES, config.productName));
  app.get('/api/v1/openapi.json', () => Response.json(getDocument()));
  const docs = createApiDocs(getDocument, log);
  app.get('/api/v1/docs', () => docs.servePage());
  app.get('/api/v1/docs/:file', ({ req }) => docs.serveFile(req.param('file')));
  app.get('/healthz', () => Response.json({ status: 'alive' }));
  app.get('/readyz', async () =>
    (await isReady(context)) ? Response.json({ status: 'ready' }) : refusalResponse('unavailable'),
  );
  app.notFound(() => refusalResponse('not_found'));
  app.onError((error, c) => {
    // The client has disconnected: it never gets this response, and there is nothing to log.
    if (c.req.raw.signal.aborted) return new Response(null, { status: 400 });
    if (error instanceof Refusal) return refusalResponse(error.reason);
    // The request does not match the route's schemas.
    if (error instanceof InvalidRequest) return validationResponse(error.items);
    // The input matches the schemas, but the domain refuses a value.
    if (error instanceof InvalidInput)
      return validationResponse([{ type: 'value_error', loc: [...error.loc], msg: error.message }]);
    if (error instanceof TooManyRequests)
      return refusalResponse('rate_limited', { 'Retry-After': String(error.retryAfterSeconds) });
    // Another request deleted the row that a new row refers to.
    if (isMissingReference(error)) return refusalResponse('not_found');
    if (isRetryable(error)) return refusalResponse('busy');
    // Log the route's pattern, not the path: an id in a path lets everyone open that appointment.
    log(`${c.req.method} ${routePath(c)}: ${error.stack ?? error.message}`);
    if (isDatabaseUnavailable(error) || DISK_FULL_CODES.has(errorCode(error) ?? ''))
      return refusalResponse('unavailable');
    return Response.json({ detail: 'Something went wrong.' }, { status: 500 });
  });
  return app;
}
