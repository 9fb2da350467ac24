import * as z from 'zod/mini';
import { type Cacheable, cachePolicyOf, toCacheHeaders } from '#cache/policy.ts';
import { Id } from '#contract/common.ts';
import { Refusal, type RefusalReason, refuse } from '#domain/refusal.ts';
import type { Context } from '#server/operations/context.ts';
import { authenticate, type Bearer } from '#server/operations/login.ts';
import { judgePictures } from '#server/operations/take_pictures.ts';
import { parse, readBody } from './input.ts';
import { drain, receiveMultipart } from './multipart.ts';

type Schema = z.core.$ZodType;

/** Where a call's input comes from, each with its schema; also the first word of an error's `loc`. */
export interface Takes {
  readonly path?: Schema;
  readonly query?: Schema;
  readonly header?: Schema;
  readonly body?: Schema;
}
/** What calls of the same kind share, so that one client cannot wear the server out. */
export type Budget = 'login' | 'recovery' | 'signup' | 'request' | 'contact' | 'upload' | 'mail';

/** What one call says of itself; the API document is made of the same. */
export interface CallDescription {
  readonly method: 'get' | 'post' | 'patch' | 'delete';
  /** Under `/api/v1`, as `/services/:service_id`. */
  readonly path: string;
  readonly summary: string;
  readonly description?: string;
  /** How the body is sent; JSON unless said otherwise. A raw one is any text, taken as it is. */
  readonly bodyKind?: 'form' | 'multipart' | 'raw';
  /** How many pictures a multipart body may hold; one unless said otherwise. */
  readonly pictures?: number;
  readonly status: 200 | 201 | 204;
  readonly answer?: Schema;
  /** How the answer is sent; JSON unless said otherwise. */
  readonly answerKind?: 'html' | 'jpeg';
  /** A body that fits, for the API document. */
  readonly example?: unknown;
  /** The refusals that are particular to this call. */
  readonly refusals?: readonly RefusalReason[];
  readonly budget?: Budget;
}

/** A call, ready to be mounted and documented. */
export interface Route extends CallDescription {
  readonly access: 'public' | 'artist' | 'superuser';
  /** Whether caches in front may keep its answers. */
  readonly isCached: boolean;
  readonly takes: Takes;
  readonly respond: (
    context: Context,
    request: Request,
    path: Readonly<Record<string, string>>,
  ) => Promise<Response>;
}

/** A call that anyone may make; a token that is sent along is not looked at. */
export function publicRoute<T extends Record<keyof T & string, Schema>>(
  { takes, ...about }: CallDescription & { takes: T & Takes },
  handle: (call: { context: Context } & z.output<z.ZodMiniObject<T>>) => Promise<unknown>,
): Route {
  const input = z.object<T>(takes);
  return {
    ...about,
    takes,
    access: 'public',
    isCached: false,
    respond: async (context, request, path) => {
      await using space = openSpace(about, request);
      const call = parse(input, await read(takes, about, request, path, context, space));
      return answer(about, await handle({ ...call, context }));
    },
  };
}

/**
 * A public call whose answers caches in front may keep, until what they show changes. An answer to
 * someone with a token is theirs alone; `whoAsks` is the artist, when the token is a good one.
 */
export function cachedRoute<T extends Record<keyof T & string, Schema>>(
  { takes, ...about }: CallDescription & { takes: T & Takes },
  handle: (
    call: { context: Context; whoAsks: () => Promise<Bearer | undefined> } & z.output<
      z.ZodMiniObject<T>
    >,
  ) => Promise<Cacheable<unknown>>,
): Route {
  const input = z.object<T>(takes);
  return {
    ...about,
    takes,
    access: 'public',
    isCached: true,
    respond: async (context, request, path) => {
      await using space = openSpace(about, request);
      const now = Date.now();
      const call = parse(input, await read(takes, about, request, path, context, space));
      const whoAsks = () => authenticateIfAny(context, request);
      if (request.headers.has('Authorization'))
        return answer(about, (await handle({ ...call, context, whoAsks })).value);
      const kept = await context.readFromReplica((database) =>
        handle({ ...call, context: { ...context, database }, whoAsks }),
      );
      return answer(about, kept.value, toCacheHeaders(cachePolicyOf(kept, now)));
    },
  };
}

/** A call that an artist makes, with their token. */
export function artistRoute<T extends Record<keyof T & string, Schema>>(
  { takes, ...about }: CallDescription & { takes: T & Takes },
  handle: (
    call: { context: Context; artist: Bearer } & z.output<z.ZodMiniObject<T>>,
  ) => Promise<unknown>,
): Route {
  const input = z.object<T>(takes);
  return {
    ...about,
    takes,
    access: 'artist',
    isCached: false,
    respond: async (context, request, path) => {
      await using space = openSpace(about, request);
      const artist = await authenticate(context, bearerToken(request));
      const call = parse(input, await read(takes, about, request, path, context, space));
      return answer(about, await handle({ ...call, context, artist }));
    },
  };
}

/**
 * A call that whoever runs the place makes, with their token; everyone else is refused before
 * what they sent is looked at.
 * @param mayToo whom else it is for, by the path of the call
 */
export function superuserRoute<T extends Record<keyof T & string, Schema>>(
  { takes, ...about }: CallDescription & { takes: T & Takes },
  handle: (
    call: { context: Context; superuser: Bearer } & z.output<z.ZodMiniObject<T>>,
  ) => Promise<unknown>,
  mayToo: (artist: Bearer, path: Readonly<Record<string, string>>) => boolean = () => false,
): Route {
  const input = z.object<T>(takes);
  return {
    ...about,
    takes,
    access: 'superuser',
    isCached: false,
    respond: async (context, request, path) => {
      await using space = openSpace(about, request);
      const superuser = await authenticate(context, bearerToken(request));
      if (!superuser.isSuperuser && !mayToo(superuser, path)) throw refuse('not_allowed');
      const call = parse(input, await read(takes, about, request, path, context, space));
      return answer(about, await handle({ ...call, context, superuser }));
    },
  };
}

/** A UUID that the caller makes once for each thing that should happen once. */
export const IdempotencyHeader = z.object({ 'idempotency-key': z.optional(Id) });

/** What is put away when a call ends, however it ends. */
function openSpace({ bodyKind }: HowSent, request: Request): AsyncDisposableStack {
  const space = new AsyncDisposableStack();
  // Whoever is refused while they send must be through with it to hear why.
  if (bodyKind === 'multipart') space.defer(() => drain(request));
  return space;
}

type HowSent = Pick<CallDescription, 'bodyKind' | 'pictures'>;

async function read(
  takes: Takes,
  how: HowSent,
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
      takes.body &&
      (how.bodyKind === 'multipart'
        ? await readMultipart(request, how.pictures, context, space)
        : await readBody(request, how.bodyKind ?? 'json')),
  };
}

/** A multipart body whose files are pictures, by what they begin with. */
async function readMultipart(
  request: Request,
  pictures = 1,
  context: Context,
  space: AsyncDisposableStack,
) {
  const body = await receiveMultipart(request, pictures, context.uploads, space);
  const sent = Object.entries(body).flatMap(([name, files]) =>
    typeof files === 'string'
      ? []
      : files.map((file, index) => ({
          file,
          place: ['body', name, ...(pictures > 1 ? [index] : [])],
        })),
  );
  await judgePictures(context, sent);
  return body;
}

async function authenticateIfAny(context: Context, request: Request): Promise<Bearer | undefined> {
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

function answer(
  { status, answerKind }: AnswerShape,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Response {
  if (answerKind === 'html') return new Response(String(body), { status, headers: HTML_HEADERS });
  if (answerKind === 'jpeg')
    return new Response(jpegBytes.parse(body), {
      status,
      headers: { 'Content-Type': 'image/jpeg', ...headers },
    });
  return status === 204 ? new Response(null, { status }) : Response.json(body, { status, headers });
}

type AnswerShape = Pick<CallDescription, 'status' | 'answerKind'>;

const jpegBytes = z.instanceof(Uint8Array<ArrayBuffer>);

/** It is looked at and not run, whatever it holds. */
const HTML_HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy':
    "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
};
