/** The Hono app: serves the API, its documentation and the health checks. */
import { Hono, type HonoRequest } from 'hono';
import { cors } from 'hono/cors';
import { routePath } from 'hono/route';
import { en } from 'zod/locales';
import * as z from 'zod/mini';
import type { Transport } from '#contract/endpoint.ts';
import { toSlot } from '#domain/booking/availability.ts';
import { InvalidInput, ProofOfWorkRequired, RateLimited, Refusal } from '#domain/refusal.ts';
import { isForeignPost } from '#domain/requests/foreign_post.ts';
import { decodePath } from '#domain/requests/page_path.ts';
import {
  createDirectTransport,
  type DirectTransportOptions,
} from '#server/api/direct_transport.ts';
import {
  type ErrorAnswer,
  overlapAnswer,
  rateLimitedAnswer,
  reasonToLog,
  refusalAnswer,
  toErrorResponse,
  validationAnswer,
} from '#server/api/error_answers.ts';
import { respond } from '#server/api/http_call.ts';
import { InvalidRequest } from '#server/api/input.ts';
import { createOpenApiDocument } from '#server/api/openapi_document.ts';
import { ROUTES } from '#server/api/routes.ts';
import {
  isDatabaseUnavailable,
  isMissingReference,
  isRetryable,
} from '#server/database/connect.ts';
import { errorCode } from '#server/database/error_code.ts';
import type { Context } from '#server/operations/context.ts';
import { createReadiness } from '#server/operations/readiness.ts';
import type { Config } from '#server/settings/config.ts';
import { createServiceId } from '#server/settings/service_id.ts';
import { createApiDocs } from './api_docs.ts';
import { createTokenCheck } from './health_token.ts';
import { toNetwork } from './ip_address.ts';
import { findRequest, noteError } from './request_context.ts';

interface Bindings {
  /** The client's IP address, for the rate limits. */
  clientIp: string;
  /** Receives the pattern of the route. */
  record?: { route: string } | undefined;
  /** Whether more requests arrive than our process can serve, so that this one is refused. */
  isOverloaded?: boolean;
}

/** Node's error codes for exhausted resources, with their texts in the log. */
const USED_UP: ReadonlyMap<string, string> = new Map([
  ['ENOSPC', 'The disk is full'],
  ['EDQUOT', 'The disk quota of our system user is used up'],
  ['EMFILE', 'This process may open no more files'],
  ['ENFILE', 'This machine may open no more files'],
]);

/** The methods of our routes, and HEAD, which Hono answers wherever there is a GET. */
const METHODS = ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE'];
/** How long browsers cache a CORS preflight; Chromium's maximum. */
const PREFLIGHT_SECONDS = 7200;
/** Stands for the pattern of the route of a CORS preflight. */
const PREFLIGHT_ROUTE = '/api/*';
/** The headers that Hono's `cors` sets beside `Access-Control-Allow-Origin`. */
const CORS_HEADERS = [
  'Access-Control-Allow-Credentials',
  'Access-Control-Allow-Headers',
  'Access-Control-Allow-Methods',
  'Access-Control-Expose-Headers',
  'Access-Control-Max-Age',
];

export type App = Hono<{ Bindings: Bindings }>;

/** Connects the pages of our own server to the API. */
export type ConnectDirectly = (
  options: Pick<DirectTransportOptions, 'token' | 'onAnswer'> & {
    /** The visitor's IP address, for rate limits. */
    readonly clientIp: string;
  },
) => Transport;

/** The order of `use` matters: each function runs before those that are added later. */
export function createApp(
  context: Context,
  config: Pick<Config, 'productName' | 'allowedOrigins' | 'trustedOrigins' | 'healthToken'>,
): { app: App; connectDirectly: ConnectDirectly } {
  // Zod Mini has no error texts of its own, so use Zod's English ones. Schemas may override them.
  z.config(en());
  // Not strict: a path may end with a slash.
  const app: App = new Hono<{ Bindings: Bindings }>({ strict: false });
  // Set in the headers of the response itself: Hono's `c.header` would make a new `Response` each time.
  app.use(async (c, next) => {
    await next();
    const { headers } = c.res;
    if (!headers.has('Cache-Control')) headers.set('Cache-Control', 'no-store');
    headers.set('X-Content-Type-Options', 'nosniff');
  });
  app.use('/api/*', async (c, next) => {
    // `cors` answers a preflight, so that no route is found for it.
    const isPreflight = c.req.method === 'OPTIONS';
    if (isPreflight) noteRoute(c.env, PREFLIGHT_ROUTE);
    await next();
    if (isPreflight) c.header('Allow', listMethods(app, c.req.path));
    // `cors` below sets these headers even for origins that are not allowed.
    if (!c.res.headers.has('Access-Control-Allow-Origin'))
      for (const name of CORS_HEADERS) c.res.headers.delete(name);
  });
  const allowOrigins = cors({
    origin: [...config.allowedOrigins],
    credentials: true,
    allowMethods: METHODS,
    exposeHeaders: ['Retry-After', 'Date'],
    maxAge: PREFLIGHT_SECONDS,
  });
  app.use('/api/*', async (c, next) => {
    const isOfScript = c.req.header('Origin') !== undefined || c.req.method === 'OPTIONS';
    if (isOfScript) return allowOrigins(c, next);
    await next();
    // All that `cors` would do too, but it would make a second `Response`.
    c.res.headers.append('Vary', 'Origin');
    return undefined;
  });
  app.use('/api/*', async ({ env }, next) => {
    if (env.isOverloaded) throw new Refusal('overloaded');
    await next();
  });
  app.use('/api/*', async ({ req }, next) => {
    // Hono passes on malformed percent-encoding as it is, also to routes that answer 200 for any name.
    if (decodePath(new URL(req.url).pathname) === undefined) throw new Refusal('not_found');
    if (isForeignPost(req.raw, config.trustedOrigins)) throw new Refusal('foreign_page');
    await next();
  });
  for (const route of ROUTES) {
    const pattern = `/api/v1${route.path}`;
    app.on(route.method, pattern, ({ req, env }) => {
      noteRoute(env, pattern);
      const network = toNetwork(env.clientIp);
      return respond(route, context, req.raw, { path: req.param(), network });
    });
  }
  // The document is created at the first request, because creating it would slow down the start.
  let openApi: ReturnType<typeof createOpenApiDocument> | undefined;
  const getDocument = () => (openApi ??= createOpenApiDocument(ROUTES, config.productName));
  const get = (pattern: string, handle: (request: HonoRequest) => Response | Promise<Response>) =>
    app.get(pattern, ({ req, env }) => {
      noteRoute(env, pattern);
      return handle(req);
    });
  get('/api/v1/openapi.json', () => Response.json(getDocument()));
  const docs = createApiDocs(getDocument);
  get('/api/v1/docs', () => docs.servePage());
  get('/api/v1/docs/:file', (request) => docs.serveFile(request.param('file') ?? ''));
  const service = createServiceId(context.tokenKeys.signing);
  get('/healthz', () => Response.json({ status: 'alive', service }));
  const isReady = createReadiness(context);
  const isHealthToken = createTokenCheck(config.healthToken);
  get('/readyz', async (req) => {
    if (req.query('verbose') === undefined) {
      if (await isReady()) return Response.json({ status: 'ready' });
      return errorResponse(refusalAnswer('unavailable'));
    }
    if (!isHealthToken(req.header('Authorization')))
      return errorResponse(refusalAnswer('not_signed_in'));
    const [isReadyNow, parts] = await Promise.all([isReady(), context.server.runDoctor()]);
    if (isReadyNow) return Response.json({ status: 'ready', parts });
    const { headers } = refusalAnswer('unavailable');
    return Response.json({ status: 'not_ready', parts }, { status: 503, headers });
  });
  app.notFound(({ req }) => {
    const allowed = listMethods(app, req.path);
    if (allowed === undefined) return errorResponse(refusalAnswer('not_found'));
    if (req.method === 'OPTIONS')
      return new Response(null, { status: 204, headers: { Allow: allowed } });
    return errorResponse(refusalAnswer('wrong_method', { Allow: allowed }));
  });
  app.onError((error, c) => {
    // The client has disconnected: it never gets this response, and there is nothing to log.
    if (c.req.raw.signal.aborted) return new Response(null, { status: 400 });
    // Log the route's pattern, not the path: an id in a path lets everyone open that appointment.
    return errorResponse(answerError(error, `${c.req.method} ${routePath(c)}`, context));
  });

  return {
    app,
    connectDirectly: ({ clientIp, ...options }) =>
      createDirectTransport(context, {
        ...options,
        network: toNetwork(clientIp),
        toErrorAnswer: (error, { method, path }) =>
          noteRefusal(answerError(error, `${method} ${path}`, context)),
      }),
  };
}

/**
 * Turns the error of a call into its answer. Counts a refusal, and logs a failure.
 * @param route names the failed call in the log, when the error is a bug
 */
function answerError(error: unknown, route: string, { metrics, log }: Context): ErrorAnswer {
  const answer = toExpectedAnswer(error) ?? toFailureAnswer(error, route, log);
  const reason = reasonToLog(answer);
  if (reason !== 'failed') metrics.countRefusal(reason);
  return answer;
}

/** The answer to an error that no client should be able to cause. Logs the error. */
function toFailureAnswer(error: unknown, route: string, log: Context['log']): ErrorAnswer {
  noteError(error);
  // Without the route, so that an outage is one line for all calls that it fails (`limitRepeats`).
  if (isDatabaseUnavailable(error)) {
    log.error({ component: 'API', err: error }, 'The database is unavailable (answered 503)');
    return refusalAnswer('unavailable');
  }
  const usedUp = USED_UP.get(errorCode(error) ?? '');
  if (usedUp !== undefined) {
    log.error({ component: 'API', err: error }, `${usedUp} (answered 503)`);
    return refusalAnswer('unavailable');
  }
  log.error({ component: 'API', route, err: error }, 'A call failed (answered 500)');
  return { status: 500, detail: 'Something went wrong.', headers: {} };
}

/** The header `Allow` of a path; undefined for a path that no route has. */
function listMethods({ router }: App, path: string): string | undefined {
  const countHandlers = (method: string) => router.match(method, path)[0].length;
  // Middleware handles every method, also this unknown one.
  const middlewareCount = countHandlers('UNKNOWN');
  const methods = METHODS.filter(
    (method) => countHandlers(method === 'HEAD' ? 'GET' : method) > middlewareCount,
  );
  return methods.length > 0 ? [...methods, 'OPTIONS'].join(', ') : undefined;
}

/** Reports to log and metrics which route handles a call. Hono itself names all routes that match. */
function noteRoute({ record }: Bindings, pattern: string): void {
  if (record) record.route = pattern;
}

/** Reports to the log why the request is refused, and to its client the id of the request in the log. */
function noteRefusal(answer: ErrorAnswer): ErrorAnswer {
  const request = findRequest();
  if (!request) return answer;
  request.refusal = reasonToLog(answer);
  return { ...answer, requestId: request.id };
}

function errorResponse(answer: ErrorAnswer): Response {
  return toErrorResponse(noteRefusal(answer));
}

/** The answer to an error that clients may cause; undefined for another error. */
function toExpectedAnswer(error: unknown): ErrorAnswer | undefined {
  if (error instanceof Refusal) return toRefusalAnswer(error);
  // The call does not match the route's schemas.
  if (error instanceof InvalidRequest) return validationAnswer(error.items);
  // The input matches the schemas, but the domain refuses a value.
  if (error instanceof InvalidInput)
    return validationAnswer([{ type: error.type, loc: [...error.loc], msg: error.message }]);
  if (error instanceof RateLimited) return rateLimitedAnswer(error);
  if (error instanceof ProofOfWorkRequired)
    return {
      ...refusalAnswer('proof_of_work_required', { 'Retry-After': '0' }),
      challenge: error.challenge,
    };
  // Another call deleted the row that a new row refers to.
  if (isMissingReference(error)) return refusalAnswer('not_found');
  return isRetryable(error) ? refusalAnswer('busy') : undefined;
}

function toRefusalAnswer({ reason, nearest, alike, overlapping }: Refusal): ErrorAnswer {
  const answer = overlapping ? overlapAnswer(reason, overlapping) : refusalAnswer(reason);
  return {
    ...answer,
    ...(nearest.length > 0 && { nearest: nearest.map(toSlot) }),
    ...(alike.length > 0 && { alike }),
  };
}
