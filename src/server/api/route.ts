import * as z from 'zod/mini';
import { Id } from '#contract/common.ts';
import { type RefusalReason, refuse } from '#domain/refusal.ts';
import { authenticate, type Bearer } from '#server/operations/login.ts';
import type { Parts } from '#server/operations/parts.ts';
import { parse, readBody } from './input.ts';

type Schema = z.core.$ZodType;

/** Where a call's input comes from, each with its schema; also the first word of an error's `loc`. */
export interface Takes {
  readonly path?: Schema;
  readonly query?: Schema;
  readonly header?: Schema;
  readonly body?: Schema;
}
/** What calls of the same kind share, so that one client cannot wear the server out. */
export type Budget = 'login' | 'signup' | 'request' | 'contact';

/** What one call says of itself; the API document is made of the same. */
export interface CallDescription {
  readonly method: 'get' | 'post' | 'patch' | 'delete';
  /** Under `/api/v1`, as `/services/:service_id`. */
  readonly path: string;
  readonly summary: string;
  readonly description?: string;
  /** How the body is sent; JSON unless said otherwise. */
  readonly bodyKind?: 'form';
  readonly status: 200 | 201 | 204;
  readonly answer?: Schema;
  /** The refusals that are particular to this call. */
  readonly refusals?: readonly RefusalReason[];
  readonly budget?: Budget;
}

/** A call, ready to be mounted and documented. */
export interface Route extends CallDescription {
  readonly access: 'public' | 'artist';
  readonly takes: Takes;
  readonly respond: (
    parts: Parts,
    request: Request,
    path: Readonly<Record<string, string>>,
  ) => Promise<Response>;
}

/** A call that anyone may make; a token that is sent along is not looked at. */
export function publicRoute<T extends Record<keyof T & string, Schema>>(
  { takes, ...about }: CallDescription & { takes: T & Takes },
  handle: (call: { parts: Parts } & z.output<z.ZodMiniObject<T>>) => Promise<unknown>,
): Route {
  const input = z.object<T>(takes);
  return {
    ...about,
    takes,
    access: 'public',
    respond: async (parts, request, path) => {
      const call = parse(input, await read(takes, about, request, path));
      return answer(about, await handle({ ...call, parts }));
    },
  };
}

/** A call that an artist makes, with their token. */
export function artistRoute<T extends Record<keyof T & string, Schema>>(
  { takes, ...about }: CallDescription & { takes: T & Takes },
  handle: (
    call: { parts: Parts; artist: Bearer } & z.output<z.ZodMiniObject<T>>,
  ) => Promise<unknown>,
): Route {
  const input = z.object<T>(takes);
  return {
    ...about,
    takes,
    access: 'artist',
    respond: async (parts, request, path) => {
      const artist = await authenticate(parts, bearerToken(request));
      const call = parse(input, await read(takes, about, request, path));
      return answer(about, await handle({ ...call, parts, artist }));
    },
  };
}

/** A UUID that the caller makes once for each thing that should happen once. */
export const IdempotencyHeader = z.object({ 'idempotency-key': z.optional(Id) });

async function read(
  takes: Takes,
  { bodyKind = 'json' }: { bodyKind?: 'json' | 'form' },
  request: Request,
  path: Readonly<Record<string, string>>,
) {
  return {
    path,
    query: Object.fromEntries(new URL(request.url).searchParams),
    header: Object.fromEntries(request.headers),
    body: takes.body && (await readBody(request, bodyKind)),
  };
}

function bearerToken(request: Request): string {
  const [, token] = /^Bearer +(\S+)$/i.exec(request.headers.get('Authorization') ?? '') ?? [];
  if (token === undefined) throw refuse('not_signed_in');
  return token;
}

function answer({ status }: { status: number }, body: unknown): Response {
  return status === 204 ? new Response(null, { status }) : Response.json(body, { status });
}
