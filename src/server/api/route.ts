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

/** Where a call's input comes from, each with its schema; also the first word of an error's `loc`. */
export interface InputSchemas {
  readonly path?: ZodSchema;
  readonly query?: ZodSchema;
  readonly header?: ZodSchema;
  readonly body?: ZodSchema;
}
/** What calls of the same kind share, so that one client cannot wear the server out. */
export type RateLimitBudget =
  | 'login'
  | 'recovery'
  | 'signup'
  | 'request'
  | 'contact'
  | 'upload'
  | 'mail';

/** What one call says of itself; the API document is made of the same. */
export interface RouteOptions {
  readonly method: 'get' | 'post' | 'patch' | 'delete';
  /** Under `/api/v1`, as `/services/:service_id`. */
  readonly path: string;
  readonly summary: string;
  readonly description?: string;
  /** How the body is sent; JSON unless said otherwise. A raw one is any text, taken as it is. */
  readonly bodyKind?: 'form' | 'multipart' | 'raw';
  /** How many pictures a multipart body may hold; one unless said otherwise. */
  readonly maxImages?: number;
  readonly status: 200 | 201 | 204;
  readonly response?: ZodSchema;
  /** How the answer is sent; JSON unless said otherwise. */
  readonly responseKind?: 'html' | 'jpeg';
  /** A body that fits, for the API document. */
  readonly example?: unknown;
  /** The refusals that are particular to this call. */
  readonly refusals?: readonly RefusalReason[];
  readonly budget?: RateLimitBudget;
}

/** A call, ready to be mounted and documented. */
export interface Route extends RouteOptions {
  readonly access: 'public' | 'artist' | 'superuser';
  /** Whether caches in front may keep its answers. */
  readonly isCached: boolean;
  readonly input: InputSchemas;
  readonly respond: (
    context: Context,
    request: Request,
    path: Readonly<Record<string, string>>,
  ) => Promise<Response>;
}

/** A call that anyone may make; a token that is sent along is not looked at. */
export function publicRoute<T extends Record<keyof T & string, ZodSchema>>(
  { input, ...about }: RouteOptions & { input: T & InputSchemas },
  handle: (call: { context: Context } & z.output<z.ZodMiniObject<T>>) => Promise<unknown>,
): Route {
  const schema = z.object<T>(input);
  return {
    ...about,
    input,
    access: 'public',
    isCached: false,
    respond: async (context, request, path) => {
      await using space = createCleanup(about, request);
      const call = parseInput(schema, await readInput(input, about, request, path, context, space));
      return toResponse(about, await handle({ ...call, context }));
    },
  };
}

/**
 * A public call whose answers caches in front may keep, until what they show changes. An answer to
 * someone with a token is theirs alone; `whoAsks` is the artist, when the token is a good one.
 */
export function cachedRoute<T extends Record<keyof T & string, ZodSchema>>(
  { input, ...about }: RouteOptions & { input: T & InputSchemas },
  handle: (
    call: { context: Context; whoAsks: () => Promise<TokenOwner | undefined> } & z.output<
      z.ZodMiniObject<T>
    >,
  ) => Promise<Cacheable<unknown>>,
): Route {
  const schema = z.object<T>(input);
  return {
    ...about,
    input,
    access: 'public',
    isCached: true,
    respond: async (context, request, path) => {
      await using space = createCleanup(about, request);
      const now = Date.now();
      const call = parseInput(schema, await readInput(input, about, request, path, context, space));
      const whoAsks = () => findCaller(context, request);
      if (request.headers.has('Authorization'))
        return toResponse(about, (await handle({ ...call, context, whoAsks })).value);
      const kept = await context.readFromReplica((database) =>
        handle({ ...call, context: { ...context, database }, whoAsks }),
      );
      return toResponse(about, kept.value, toCacheHeaders(cachePolicyOf(kept, now)));
    },
  };
}

/** A call that an artist makes, with their token. */
export function artistRoute<T extends Record<keyof T & string, ZodSchema>>(
  { input, ...about }: RouteOptions & { input: T & InputSchemas },
  handle: (
    call: { context: Context; artist: TokenOwner } & z.output<z.ZodMiniObject<T>>,
  ) => Promise<unknown>,
): Route {
  const schema = z.object<T>(input);
  return {
    ...about,
    input,
    access: 'artist',
    isCached: false,
    respond: async (context, request, path) => {
      await using space = createCleanup(about, request);
      const artist = await authenticate(context, bearerToken(request));
      const call = parseInput(schema, await readInput(input, about, request, path, context, space));
      return toResponse(about, await handle({ ...call, context, artist }));
    },
  };
}

/**
 * A call that whoever runs the place makes, with their token; everyone else is refused before
 * what they sent is looked at.
 * @param mayToo whom else it is for, by the path of the call
 */
export function superuserRoute<T extends Record<keyof T & string, ZodSchema>>(
  { input, ...about }: RouteOptions & { input: T & InputSchemas },
  handle: (
    call: { context: Context; superuser: TokenOwner } & z.output<z.ZodMiniObject<T>>,
  ) => Promise<unknown>,
  mayToo: (artist: TokenOwner, path: Readonly<Record<string, string>>) => boolean = () => false,
): Route {
  const schema = z.object<T>(input);
  return {
    ...about,
    input,
    access: 'superuser',
    isCached: false,
    respond: async (context, request, path) => {
      await using space = createCleanup(about, request);
      const superuser = await authenticate(context, bearerToken(request));
      if (!superuser.isSuperuser && !mayToo(superuser, path)) throw refuse('not_allowed');
      const call = parseInput(schema, await readInput(input, about, request, path, context, space));
      return toResponse(about, await handle({ ...call, context, superuser }));
    },
  };
}

/** A UUID that the caller makes once for each thing that should happen once. */
export const IdempotencyHeader = z.object({ 'idempotency-key': z.optional(Id) });

/** What is put away when a call ends, however it ends. */
function createCleanup({ bodyKind }: BodyOptions, request: Request): AsyncDisposableStack {
  const space = new AsyncDisposableStack();
  // Whoever is refused while they send must be through with it to hear why.
  if (bodyKind === 'multipart') space.defer(() => drainBody(request));
  return space;
}

type BodyOptions = Pick<RouteOptions, 'bodyKind' | 'maxImages'>;

async function readInput(
  input: InputSchemas,
  how: BodyOptions,
  request: Request,
  path: Readonly<Record<string, string>>,
  context: Context,
  space: AsyncDisposableStack,
) {
  return {
    path,
    query: Object.fromEntries(new URL(request.url).searchParams),
    header: Object.fromEntries(request.headers),
    body:
      input.body &&
      (how.bodyKind === 'multipart'
        ? await readUploads(request, how.maxImages, context, space)
        : await readBody(request, how.bodyKind ?? 'json')),
  };
}

/** A multipart body whose files are pictures, by what they begin with. */
async function readUploads(
  request: Request,
  pictures = 1,
  context: Context,
  space: AsyncDisposableStack,
) {
  const body = await receiveMultipart(request, pictures, context.uploadFolder, space);
  const sent = Object.entries(body).flatMap(([name, files]) =>
    typeof files === 'string'
      ? []
      : files.map((file, index) => ({
          file,
          inputPath: ['body', name, ...(pictures > 1 ? [index] : [])],
        })),
  );
  await validateImages(context, sent);
  return body;
}

async function findCaller(context: Context, request: Request): Promise<TokenOwner | undefined> {
  try {
    return await authenticate(context, bearerToken(request));
  } catch (error) {
    if (error instanceof Refusal && error.reason === 'not_signed_in') return undefined;
    throw error;
  }
}

function bearerToken(request: Request): string {
  const [, token] = /^Bearer +(\S+)$/i.exec(request.headers.get('Authorization') ?? '') ?? [];
  if (token === undefined) throw refuse('not_signed_in');
  return token;
}

function toResponse(
  { status, responseKind: answerKind }: ResponseOptions,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Response {
  if (answerKind === 'html') return new Response(String(body), { status, headers: HTML_HEADERS });
  if (answerKind === 'jpeg')
    return new Response(JpegBytes.parse(body), {
      status,
      headers: { 'Content-Type': 'image/jpeg', ...headers },
    });
  return status === 204 ? new Response(null, { status }) : Response.json(body, { status, headers });
}

type ResponseOptions = Pick<RouteOptions, 'status' | 'responseKind'>;

const JpegBytes = z.instanceof(Uint8Array<ArrayBuffer>);

/** It is looked at and not run, whatever it holds. */
const HTML_HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy':
    "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
};
