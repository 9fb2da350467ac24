/** Declares an endpoint of the API: who may call it, its input, one operation, and its response. */
import * as z from 'zod/mini';
import { type Cacheable, cachePolicyOf, toCacheHeaders } from '#cache/policy.ts';
import { Id } from '#contract/common.ts';
import { Refusal, type RefusalReason, refuse } from '#domain/refusal.ts';
import type { Context } from '#server/operations/context.ts';
import { authenticate, type TokenOwner } from '#server/operations/login.ts';
import { validateImages } from '#server/operations/store_images.ts';
import { parseInput, readBody } from './input.ts';
import { drainBody, receiveMultipart } from './multipart.ts';

type ZodSchema = z.core.$ZodType;
/** The parameters of a path as the client sent them, before validation. */
type PathParams = Readonly<Record<string, string>>;

/** The schemas of a request's parts. A validation error's `loc` starts with the part's name. */
interface InputSchemas {
  readonly path?: ZodSchema;
  readonly query?: ZodSchema;
  readonly header?: ZodSchema;
  readonly body?: ZodSchema;
}

/** Names of limits of the calls from one client network. Endpoints with one limit share a count. */
export type RateLimitName =
  | 'login'
  | 'recovery'
  | 'signup'
  | 'request'
  | 'contact'
  | 'upload'
  | 'mail';

interface RouteOptions {
  readonly method: 'get' | 'post' | 'patch' | 'delete';
  /** Without `/api/v1`, such as `/services/:service_id`. */
  readonly path: string;
  readonly summary: string;
  readonly description?: string;
  /** JSON unless set. A `raw` body is passed on as text, unparsed. */
  readonly bodyKind?: 'json' | 'form' | 'multipart' | 'raw';
  /** How many pictures a multipart body may contain; one unless set. */
  readonly imageCount?: 'one' | 'several';
  /** 200 unless set. */
  readonly status?: 200 | 201 | 204;
  /** Describes the response in the API document. Responses are not validated. */
  readonly response?: ZodSchema;
  /** JSON unless set. */
  readonly responseKind?: 'html' | 'jpeg';
  /** A valid body, shown in the API document. */
  readonly example?: unknown;
  /** For the API document: refusals that do not follow from the other options. */
  readonly refusals?: readonly RefusalReason[];
  /** The limit that counts the calls of this endpoint; none unless set. */
  readonly rateLimit?: RateLimitName;
}

/** A declared endpoint, for the router and the API document. */
export interface Route extends RouteOptions {
  readonly access: 'public' | 'artist' | 'superuser';
  /** Whether the HTTP cache and CDNs may store its responses. */
  readonly isCached: boolean;
  readonly input: InputSchemas;
  /** Identifies the caller, reads and validates the input, and handles one call. */
  readonly respond: (context: Context, request: Request, path: PathParams) => Promise<Response>;
}

/** Constrains `T` to an object that contains only schemas. */
type Schemas<T> = Record<keyof T & string, ZodSchema>;

/** One call of an endpoint: the validated input, the context, and fields about the caller. */
type Call<T extends Schemas<T>, CallerFields> = { context: Context } & CallerFields &
  z.output<z.ZodMiniObject<T>>;

/** The declaration of an endpoint. `CallerFields` is what `handle` learns about the caller. */
interface Declaration<T extends Schemas<T>, CallerFields, Result = unknown> extends RouteOptions {
  readonly input: T & InputSchemas;
  /** Returns the body of the response; in a `cachedRoute`, as a `Cacheable`. */
  readonly handle: (call: Call<T, CallerFields>) => Promise<Result>;
}

const JpegBytes = z.instanceof(Uint8Array<ArrayBuffer>);

/** The API's only HTML is the text of a mail. No script in it may run on our origin. */
const HTML_HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy':
    "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
};

/** An endpoint that anyone may call; a token is ignored. */
export function publicRoute<T extends Schemas<T>>(declaration: Declaration<T, unknown>): Route {
  return createRoute('public', declaration, async () => ({}));
}

/**
 * A public endpoint whose responses are cached until their tags are invalidated. The response to a
 * call with a token is not cached: it may depend on the artist that `findCaller` returns.
 */
export function cachedRoute<T extends Schemas<T>>(
  declaration: Declaration<
    T,
    { findCaller: () => Promise<TokenOwner | undefined> },
    Cacheable<unknown>
  >,
): Route {
  const route = createRoute(
    'public',
    declaration,
    async (context, request) => ({ findCaller: () => findCaller(context, request) }),
    async (call, request) => {
      // Read the clock before the data, as the HTTP cache does: both count the lifetime from then.
      const now = Date.now();
      if (request.headers.has('Authorization'))
        return toResponse(declaration, (await declaration.handle(call)).value);
      const cacheable = await call.context.readFromReplica((database) =>
        declaration.handle({ ...call, context: { ...call.context, database } }),
      );
      return toResponse(
        declaration,
        cacheable.value,
        toCacheHeaders(cachePolicyOf(cacheable, now)),
      );
    },
  );
  return { ...route, isCached: true };
}

/** An endpoint that needs an artist's token. */
export function artistRoute<T extends Schemas<T>>(
  declaration: Declaration<T, { artist: TokenOwner }>,
): Route {
  return createRoute('artist', declaration, async (context, request) => ({
    artist: await authenticate(context, readBearerToken(request)),
  }));
}

/** An endpoint that needs the token of a superuser, or of an artist that `alsoAllowed` accepts. */
export function superuserRoute<T extends Schemas<T>>({
  alsoAllowed = () => false,
  ...declaration
}: Declaration<T, { caller: TokenOwner }> & {
  /** Whether an artist who is no superuser may call the endpoint too. */
  readonly alsoAllowed?: (artist: TokenOwner, path: PathParams) => boolean;
}): Route {
  return createRoute('superuser', declaration, async (context, request, path) => {
    const caller = await authenticate(context, readBearerToken(request));
    if (!caller.isSuperuser && !alsoAllowed(caller, path)) throw refuse('not_allowed');
    return { caller };
  });
}

/** The client repeats the UUID when it repeats a request, so that we handle the request once. */
export const IdempotencyHeader = z.object({ 'idempotency-key': z.optional(Id) });

/**
 * @param identify finds the caller or throws a refusal, before the input is read
 * @param handleCall turns a validated call into a response; by default with `handle`
 */
function createRoute<T extends Schemas<T>, CallerFields>(
  access: Route['access'],
  { input, handle, ...options }: Declaration<T, CallerFields>,
  identify: (context: Context, request: Request, path: PathParams) => Promise<CallerFields>,
  handleCall = async (call: Call<T, CallerFields>, _request: Request) =>
    toResponse(options, await handle(call)),
): Route {
  const schema = z.object<T>(input);
  return {
    ...options,
    input,
    access,
    isCached: false,
    respond: async (context, request, path) => {
      await using cleanup = new AsyncDisposableStack();
      // A client reads our response only after sending everything, so a refusal must drain the rest
      // of an upload. After a complete upload, nothing remains to drain.
      if (options.bodyKind === 'multipart') cleanup.defer(() => drainBody(request));
      const callerFields = await identify(context, request, path);
      const rawInput = {
        path,
        query: Object.fromEntries(new URL(request.url).searchParams),
        header: Object.fromEntries(request.headers),
        body: input.body && (await readInputBody(options, request, context, cleanup)),
      };
      const call = { ...parseInput(schema, rawInput), ...callerFields, context };
      // Needs `await`: without it, `cleanup` would remove the uploaded files during the operation.
      return await handleCall(call, request);
    },
  };
}

/** @param cleanup deletes the uploaded files when `respond` ends */
async function readInputBody(
  { bodyKind = 'json', imageCount = 'one' }: RouteOptions,
  request: Request,
  context: Context,
  cleanup: AsyncDisposableStack,
): Promise<unknown> {
  if (bodyKind !== 'multipart') return readBody(request, bodyKind);
  const body = await receiveMultipart(request, imageCount, context.uploadFolder, cleanup);
  const images = Object.entries(body).flatMap(([name, content]) =>
    typeof content === 'string'
      ? []
      : content.map((file, index) => ({
          file,
          inputPath: ['body', name, ...(imageCount === 'several' ? [index] : [])],
        })),
  );
  await validateImages(context, images);
  return body;
}

/** Undefined when the request has no valid token. */
async function findCaller(context: Context, request: Request): Promise<TokenOwner | undefined> {
  try {
    return await authenticate(context, readBearerToken(request));
  } catch (error) {
    if (error instanceof Refusal && error.reason === 'not_signed_in') return undefined;
    throw error;
  }
}

function readBearerToken(request: Request): string {
  const [, token] = /^Bearer +(\S+)$/i.exec(request.headers.get('Authorization') ?? '') ?? [];
  if (token === undefined) throw refuse('not_signed_in');
  return token;
}

function toResponse(
  { status = 200, responseKind }: Pick<RouteOptions, 'status' | 'responseKind'>,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Response {
  if (responseKind === 'html')
    return new Response(String(body), { status, headers: { ...HTML_HEADERS, ...headers } });
  if (responseKind === 'jpeg')
    return new Response(JpegBytes.parse(body), {
      status,
      headers: { 'Content-Type': 'image/jpeg', ...headers },
    });
  if (status === 204) return new Response(null, { status, headers });
  return Response.json(body, { status, headers });
}
