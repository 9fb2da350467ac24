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
import { images } from './api/images.ts';
import { InvalidRequest } from './api/input.ts';
import { login } from './api/login.ts';
import { mails } from './api/mails.ts';
import { messages } from './api/messages.ts';
import { drainBody } from './api/multipart.ts';
import { createOpenApiDocument } from './api/openapi_document.ts';
import { passwordRecovery } from './api/password_recovery.ts';
import { problem, validationProblem } from './api/problems.ts';
import type { Route } from './api/route.ts';
import { services } from './api/services.ts';
import { users } from './api/users.ts';
import { createApiDocs } from './api_docs.ts';
import type { Config } from './config.ts';
import { isDatabaseUnavailable, isMissingReference, isRetryable } from './database/connect.ts';
import { errorCode } from './database/error_code.ts';
import type { Context } from './operations/context.ts';
import { isReady } from './operations/readiness.ts';
import { type ConsumeBudget, createRateLimit, TooManyRequests } from './rate_limit.ts';

/** What a request brings beside itself. */
interface Bindings {
  /** Who asks; budgets are counted by it. */
  address: string;
}
/** No room on the disk, of the machine or of this user. */
const DISK_FULL_CODES = new Set(['ENOSPC', 'EDQUOT']);

/** What routes are called with. */
const ALLOWED_METHODS = ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE'];
/** A browser on another site asks first, and need not do so before every call; Chromium's limit. */
const PREFLIGHT_SECONDS = 7200;
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
  // Last, as `:user_id` stands for any word.
  ...accounts,
];

const CACHED_ROUTES = ROUTES.filter(({ isCached: isKept }) => isKept).map(
  ({ path, input: { query } }) => ({
    address: new RegExp(`^/api/v1${path.replaceAll(/:\w+/g, '[^/]+')}$`),
    query: query instanceof z.ZodMiniObject ? Object.keys(query.shape) : [],
  }),
);

/**
 * The query parameters of a read whose answers may be kept; undefined for any other.
 * @param path without a slash at its end
 */
export function cachedQueryParameters(path: string): readonly string[] | undefined {
  return CACHED_ROUTES.find(({ address }) => address.test(path))?.query;
}

/** The API and the health checks: the only place where the context are put together. */
export function createApp(
  context: Context,
  config: Pick<Config, 'productName' | 'allowedOrigins' | 'rateLimit'>,
  log: (line: string) => void,
): App {
  // Messages that the contract does not word itself.
  z.config(en());
  const spend: ConsumeBudget = config.rateLimit ? createRateLimit() : async () => {};
  const app: App = new Hono<{ Bindings: Bindings }>({ strict: false });
  app.use(async (c, next) => {
    await next();
    if (!c.res.headers.has('Cache-Control')) c.header('Cache-Control', 'no-store');
    c.header('X-Content-Type-Options', 'nosniff');
  });
  app.use('/api/*', async (c, next) => {
    await next();
    // Said of every answer by the one below; a site that may not call is told nothing at all.
    if (!c.res.headers.has('Access-Control-Allow-Origin'))
      for (const name of CORS_HEADERS) c.res.headers.delete(name);
  });
  app.use(
    '/api/*',
    cors({
      origin: [...config.allowedOrigins],
      credentials: true,
      allowMethods: ALLOWED_METHODS,
      exposeHeaders: ['Retry-After'],
      maxAge: PREFLIGHT_SECONDS,
    }),
  );
  for (const route of ROUTES) {
    app.on(route.method, `/api/v1${route.path}`, async ({ req, env }) => {
      if (route.budget)
        await spend(route.budget, env.address).catch(async (refused: unknown) => {
          if (route.bodyKind === 'multipart') await drainBody(req.raw);
          throw refused;
        });
      return route.respond(context, req.raw, req.param());
    });
  }
  // Made of all schemas when somebody first asks: it takes longer than all else here.
  let described: ReturnType<typeof createOpenApiDocument> | undefined;
  const document = () => {
    described ??= createOpenApiDocument(ROUTES, config.productName);
    return described;
  };
  app.get('/api/v1/openapi.json', () => Response.json(document()));
  const docs = createApiDocs(document, log);
  app.get('/api/v1/docs', () => docs.page());
  app.get('/api/v1/docs/:file', ({ req }) => docs.file(req.param('file')));
  app.get('/healthz', () => Response.json({ status: 'alive' }));
  app.get('/readyz', async () =>
    (await isReady(context)) ? Response.json({ status: 'ready' }) : problem('unavailable'),
  );
  app.notFound(() => problem('not_found'));
  app.onError((error, c) => {
    // Whoever hung up half way reads no answer, and must not fill the log.
    if (c.req.raw.signal.aborted) return new Response(null, { status: 400 });
    if (error instanceof Refusal) return problem(error.reason);
    if (error instanceof InvalidRequest) return validationProblem(error.items);
    if (error instanceof InvalidInput)
      return validationProblem([{ type: 'value_error', loc: [...error.loc], msg: error.message }]);
    if (error instanceof TooManyRequests)
      return problem('too_many', { 'Retry-After': String(error.retryAfterSeconds) });
    // Deleted while something of it was being saved.
    if (isMissingReference(error)) return problem('not_found');
    if (isRetryable(error)) return problem('busy');
    // The pattern and not the path: an appointment's id opens it.
    log(`${c.req.method} ${routePath(c)}: ${error.stack ?? error.message}`);
    if (isDatabaseUnavailable(error) || DISK_FULL_CODES.has(errorCode(error) ?? ''))
      return problem('unavailable');
    return Response.json({ detail: 'Something went wrong.' }, { status: 500 });
  });
  return app;
}
