/** Adds to an endpoint of the contract its access, its costs and its operation. */
import * as z from 'zod/mini';
import { type Cacheable, type CachePolicy, cachePolicyOf } from '#cache/policy.ts';
import { Id } from '#contract/common.ts';
import type { CallInput, Endpoint } from '#contract/endpoint.ts';
import type { OwnerProof } from '#contract/owner_proof.ts';
import { Refusal, type RefusalReason, refuse } from '#domain/refusal.ts';
import type { CallLimit } from '#domain/requests/limits.ts';
import { requireOwnerProof } from '#server/operations/accounts/owner_proof.ts';
import { authenticate, type TokenOwner } from '#server/operations/accounts/sessions.ts';
import type { UploadedFile } from '#server/operations/catalogue/store_images.ts';
import type { Context, Uploader } from '#server/operations/context.ts';
import { limitEvent } from '#server/operations/limits.ts';
import { parseInput } from './input.ts';

type ZodSchema = z.core.$ZodType;

/** The schemas of a request's parts. A validation error's `loc` starts with the part's name. */
interface InputSchemas {
  readonly path?: ZodSchema;
  readonly query?: ZodSchema;
  readonly header?: ZodSchema;
  readonly body?: ZodSchema;
}

/** One call as it arrived, before validation. */
export interface RawCall {
  /** The caller's network, by which limits count callers (`toNetwork`). */
  readonly network: string;
  readonly authorization: string | undefined;
  readonly userAgent: string | undefined;
  readonly path: Readonly<Record<string, unknown>>;
  readonly query: unknown;
  readonly header: unknown;
  /** Reads the body; the files of a multipart body go to the disk. */
  readonly readBody: (upload: Upload) => Promise<unknown>;
}

/** Options for the body of a call that has files. */
export interface Upload {
  /** The caller in the limits of uploads. */
  readonly uploader: Uploader;
  /** Deletes the files after the call. */
  readonly cleanup: AsyncDisposableStack;
}

/** The value of a call that was not refused. */
export interface RouteResult {
  readonly value: unknown;
  /** For caches; undefined when they must not store the response. */
  readonly cachePolicy: CachePolicy | undefined;
}

interface RouteOptions {
  readonly summary: string;
  readonly description?: string;
  /** How many pictures a multipart body may contain; one unless set. */
  readonly imageCount?: 'one' | 'several';
  /** A valid body, shown in the API document. */
  readonly example?: unknown;
  /** Set if the route answers the same for what does not exist. Else a path with parameters may be `not_found`. */
  readonly hidesMissing?: true;
  /**
   * For the API document: refusals that do not follow from the other options and the path. The docstring of
   * the operation does not list them again.
   */
  readonly refusals?: readonly RefusalReason[];
  /** The limit that counts the calls of this endpoint; none unless set. */
  readonly rateLimit?: CallLimit;
}

/** An endpoint with its route, for the router, the direct transport and the API document. */
export interface Route
  extends RouteOptions,
    Pick<Endpoint<CallInput, unknown>, 'method' | 'path' | 'bodyKind' | 'responseKind'> {
  readonly access: Access<unknown>['kind'];
  readonly status: 200 | 201 | 204;
  /** Whether the HTTP cache and CDNs may store its responses. */
  readonly isCached: boolean;
  /** Whether some calls, or all, need a proof that the caller is the owner of the token. */
  readonly needsOwnerProof: boolean;
  readonly input: InputSchemas;
  readonly response?: ZodSchema;
  /** Counts and identifies the caller, validates the input, and handles one call. */
  readonly handleCall: (context: Context, call: RawCall) => Promise<RouteResult>;
}

/** The access to an endpoint; `Caller` holds the facts about the caller for its route. */
export interface Access<Caller> {
  readonly kind: 'public' | 'artist' | 'superuser';
  /** Runs before the input is validated. */
  readonly identify: (context: Context, call: RawCall) => Promise<Caller>;
  /** The caller, if they have an account. */
  readonly accountOf: (caller: Caller) => TokenOwner | undefined;
}

/** Anyone may call. A token is ignored, except by `findCaller`: the artist of a valid token, if there is one. */
export const anyone: Access<{ findCaller: () => Promise<TokenOwner | undefined> }> = {
  kind: 'public',
  identify: async (context, call) => ({
    findCaller: () =>
      identifyOwner(context, call).catch((error: unknown) => {
        if (error instanceof Refusal && error.reason === 'not_signed_in') return undefined;
        throw error;
      }),
  }),
  accountOf: () => undefined,
};

/** Needs the token of any account, an artist's or a superuser's. */
export const artists: Access<{ artist: TokenOwner }> = {
  kind: 'artist',
  async identify(context, call) {
    const artist = await identifyOwner(context, call);
    context.noteArtist(artist.id);
    return { artist };
  },
  accountOf: ({ artist }) => artist,
};

/**
 * Needs a superuser's token.
 * @param alsoAllowed other artists who may call too, such as an artist who reads themselves
 */
export function superusers(
  alsoAllowed: (artist: TokenOwner, path: RawCall['path']) => boolean = () => false,
): Access<{ caller: TokenOwner }> {
  return {
    kind: 'superuser',
    async identify(context, call) {
      const caller = await identifyOwner(context, call);
      if (!caller.isSuperuser && !alsoAllowed(caller, call.path)) throw refuse('not_allowed');
      return { caller };
    },
    accountOf: ({ caller }) => caller,
  };
}

/** The parts of an endpoint's input as the API receives them: uploads become files on disk. */
type ReceivedParts<Input extends CallInput> = {
  [Part in keyof Input]-?: ReceivedPart<NonNullable<Input[Part]>>;
};
type ReceivedPart<Part> = Part extends object
  ? {
      [Field in keyof Part]: Extract<Part[Field], Blob | readonly Blob[]> extends never
        ? Part[Field]
        : UploadedFile[];
    }
  : Part;

/** A schema for each part of an endpoint's input. A body may be optional. */
type SchemasOf<Input extends CallInput> = {
  [Part in keyof Input & string]-?: z.core.$ZodType<
    unknown,
    ReceivedParts<Input>[Part] | undefined
  >;
};

/** Never if the schemas accept less than the endpoint's type promises: then `route` does not take the endpoint. */
type Agrees<Input extends CallInput, Schemas> =
  ReceivedParts<Input> extends { [Part in keyof Schemas]: z.input<Schemas[Part]> }
    ? unknown
    : never;

/** One call: the validated input, the context, and the facts about the caller. */
type Call<Schemas extends z.core.$ZodLooseShape, Caller> = {
  context: Context;
  network: string;
  userAgent: string | undefined;
  /** When the whole call had arrived, in milliseconds. */
  now: number;
} & Caller &
  z.output<z.ZodMiniObject<Schemas>>;

type Declaration<Schemas extends z.core.$ZodLooseShape, Caller, Output> = RouteOptions & {
  readonly input: Schemas;
  /** 201 for a call that creates something; else 200, or 204 without a response. */
  readonly status?: 201;
  /** Describes the value in the API document. Values are not validated. */
  readonly response?: z.core.$ZodType<Output>;
  /** The proof in a call that needs one; null for a call that needs none. */
  readonly ownerProof?: (call: Call<Schemas, Caller>) => OwnerProof | null;
} & (
    | { readonly cached?: false; readonly handle: (call: Call<Schemas, Caller>) => Promise<Output> }
    | {
        /** Caches may store the responses to calls without a token. */
        readonly cached: true;
        readonly handle: (call: Call<Schemas, Caller>) => Promise<Cacheable<Output>>;
      }
  );

/**
 * Declares the route of an endpoint. TypeScript compares its schemas with the endpoint's types.
 * @param access who may call the endpoint
 * @param declaration its `handle` returns the value of the response
 */
export function route<
  Input extends CallInput,
  Output,
  Schemas extends SchemasOf<Input> & z.core.$ZodLooseShape,
  Caller,
>(
  endpoint: Endpoint<Input, Output> & Agrees<Input, Schemas>,
  access: Access<Caller>,
  declaration: Declaration<Schemas, Caller, Output>,
): Route {
  const { input, ownerProof, ...options } = declaration;
  const schema = z.object<Schemas>(input);
  return {
    ...options,
    ...endpoint,
    // Our router accepts each path with and without a slash at its end.
    path: withoutEndSlash(endpoint.path),
    access: access.kind,
    status: options.status ?? (options.response ? 200 : 204),
    input,
    isCached: options.cached ?? false,
    needsOwnerProof: ownerProof !== undefined,
    async handleCall(context, rawCall) {
      const { rateLimit } = options;
      // First, so that calls with a wrong token or an invalid body count too.
      if (rateLimit)
        await limitEvent(context, [`calls_${rateLimit}`], { network: rawCall.network });
      const caller = await access.identify(context, rawCall);
      await using cleanup = new AsyncDisposableStack();
      const { network, userAgent, path, query, header, readBody } = rawCall;
      const account = access.accountOf(caller);
      const uploader = account ?? { id: network, isEmailProven: false };
      const body = 'body' in input ? await readBody({ uploader, cleanup }) : undefined;
      const parsed = parseInput(schema, { path, query, header, body });
      // Read before the data, as the HTTP cache does: both count the lifetime from then.
      const now = Date.now();
      const call = { ...parsed, ...caller, context, network, userAgent, now };
      const proof = ownerProof ? ownerProof(call) : null;
      if (proof !== null) {
        if (!account) throw refuse('not_signed_in');
        // The types exclude an undefined proof: it would be refused like an empty one.
        await requireOwnerProof(context, account, proof ?? {}, now);
      }
      if (!declaration.cached)
        // Needs `await`: without it, `cleanup` would delete the files during the operation.
        return { value: await declaration.handle(call), cachePolicy: undefined };
      // The response to a call with a token may be for its artist alone, so no cache stores it.
      if (rawCall.authorization !== undefined)
        return { value: (await declaration.handle(call)).value, cachePolicy: undefined };
      const cacheable = await context.readFromReplica((database) =>
        declaration.handle({ ...call, context: { ...context, database } }),
      );
      return { value: cacheable.value, cachePolicy: cachePolicyOf(cacheable, now) };
    },
  };
}

/** Headers of the calls that book or send a request. */
export const RequestHeaders = z.object({
  /** The client repeats the UUID when it repeats a request, so that we handle the request once. */
  'idempotency-key': z.optional(Id),
  'proof-of-work': z
    .optional(z.string().check(z.maxLength(4000)))
    .check(
      z.describe('The `challenge` of an answer 429 with its `solution`, as JSON of ALTCHA’s form'),
    ),
});

/** @throws Refusal `not_signed_in` when the call has no valid token */
async function identifyOwner(context: Context, { authorization }: RawCall): Promise<TokenOwner> {
  const [, token] = /^Bearer +(\S+)$/i.exec(authorization ?? '') ?? [];
  if (token === undefined) throw refuse('not_signed_in');
  return authenticate(context, token, Date.now());
}

/** A path without the slash at its end, if it has one. */
export function withoutEndSlash(path: string): string {
  return path.replace(/\/$/, '');
}
