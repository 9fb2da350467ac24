/** How the calls of the API are defined: shapes of their input, and one function for each method. */
import type * as z from 'zod/mini';
import type { ListPage, PageQuery } from './common.ts';
import type { CallInput, Download, Endpoint, NoInput } from './endpoint.ts';

export type BodyOf<Schema extends z.core.$ZodType> = { readonly body: z.input<Schema> };
export type Query<Schema extends z.core.$ZodType> = { readonly query: z.input<Schema> };
/** Query parameters that all may be left out. */
export type OptionalQuery<Schema extends z.core.$ZodType> = { readonly query?: z.input<Schema> };
/** The input of a call that lists one page. */
export type PageInput = OptionalQuery<typeof PageQuery>;
/** Parameters of the path. */
export type ById<Name extends string> = { readonly path: Readonly<Record<Name, string>> };
export type ByUsername = ById<'username'>;
/**
 * The client repeats the UUID when it repeats a request, so that the API handles it once. A proof of
 * work is the solution of a task that the API has asked for.
 */
export type Idempotent = {
  readonly header?: {
    readonly 'idempotency-key'?: string | undefined;
    readonly 'proof-of-work'?: string | undefined;
  };
};
/** The solution of a task that the API has asked for. */
export type WithProofOfWork = {
  readonly header?: { readonly 'proof-of-work'?: string | undefined };
};
/** The token of an earlier login in this browser, and the IANA zone of the browser. */
export type FromDevice = {
  readonly header?: {
    readonly 'device-token'?: string | undefined;
    readonly 'time-zone'?: string | undefined;
  };
};
/** The username may be missing if the body has a `design_id`: a design names its artist. */
export type OfArtist = { readonly query?: { readonly username?: string | undefined } };
/** `v` changes when the picture does, so that social networks load it again. */
export type ShareImage = { readonly query?: { readonly v?: string | undefined } };

type Options = Pick<Endpoint<NoInput, unknown>, 'bodyKind' | 'responseKind' | 'field' | 'canRetry'>;

/** The option by which a client recognizes a right response. Only the output `void`, no content, takes `undefined`. */
type ResponseOption<Output> = [undefined] extends [Output]
  ? { readonly field: null }
  : [Output] extends [string]
    ? { readonly responseKind: 'html' }
    : [Output] extends [Uint8Array]
      ? { readonly responseKind: 'jpeg' }
      : [Output] extends [Download]
        ? { readonly responseKind: 'zip' }
        : [Output] extends [{ readonly data: readonly unknown[] }]
          ? { readonly field: 'data' }
          : { readonly field: keyof Output & string };

/** The type of the functions that define calls. An output with an `id` is recognized by it, and needs no options. */
type Define = <Input extends CallInput, Output>(
  path: string,
  ...options: [Output] extends [{ readonly id: string }]
    ? [options?: Options]
    : [options: Options & ResponseOption<Output>]
) => Endpoint<Input, Output>;

// The annotations let bundlers leave out the endpoints that a page does not call.
/* @__NO_SIDE_EFFECTS__ */
export const get: Define = (path: string, options?: Options) => ({
  method: 'GET',
  path,
  ...options,
});
/* @__NO_SIDE_EFFECTS__ */
export const post: Define = (path: string, options?: Options) => ({
  method: 'POST',
  path,
  ...options,
});
/* @__NO_SIDE_EFFECTS__ */
export const patch: Define = (path: string, options?: Options) => ({
  method: 'PATCH',
  path,
  ...options,
});
/** A GET that answers with one page of a list. */
/* @__NO_SIDE_EFFECTS__ */
export const list = <Input extends CallInput, Item>(
  path: string,
): Endpoint<Input, ListPage<Item>> => ({ method: 'GET', path, field: 'data' });
/** Every DELETE answers without content. */
/* @__NO_SIDE_EFFECTS__ */
export const del = <Input extends CallInput>(path: string): Endpoint<Input, void> => ({
  method: 'DELETE',
  path,
  field: null,
});
