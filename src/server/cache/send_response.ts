import type { ServerResponse } from 'node:http';
import Negotiator from 'negotiator';
import type { EncodedResponse, Encoding } from './encoded_response.ts';

interface SendOptions {
  /** Whether a request with `If-None-Match` may be answered with 304; true by default. */
  readonly allow304?: boolean;
  /** Names and values alternate. */
  readonly addedHeaders?: readonly string[];
}

/**
 * Sends the best encoding that the client accepts, or 304 if the client's copy is current.
 * @returns the best encoding; undefined after a 304
 */
export function sendResponse(
  response: ServerResponse,
  { status, etag, notModifiedHeaders, variants }: EncodedResponse,
  { allow304 = true, addedHeaders = [] }: SendOptions = {},
): Encoding | undefined {
  const { headers } = response.req;
  if (allow304 && status === 200 && matchesEtag(headers['if-none-match'], etag)) {
    response.writeHead(304, notModifiedHeaders.concat(addedHeaders)).end();
    return undefined;
  }
  const encoding = negotiateEncoding(headers['accept-encoding']);
  const variant = variants[encoding] ?? variants.identity;
  response.writeHead(status, variant.headers.concat(addedHeaders));
  response.end(variant.readBody());
  return encoding;
}

/** Whether `If-None-Match` names this ETag or `*`; `W/` is ignored (RFC 9110, 13.1.2). */
export function matchesEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const withoutW = (tag: string) => tag.trim().replace(/^W\//, '');
  return ifNoneMatch
    .split(',')
    .some((tag) => tag.trim() === '*' || withoutW(tag) === withoutW(etag));
}

/** The best of our encodings that an `Accept-Encoding` header allows. */
export function negotiateEncoding(accepted: string | undefined): Encoding {
  if (!accepted) return 'identity';
  // Browsers send a plain list; the slower parser is for weights such as `gzip;q=0.5`.
  const acceptable = /^[\w, ]+$/.test(accepted)
    ? accepted
    : `${new Negotiator({ headers: { 'accept-encoding': accepted } }).encodings(['br', 'gzip'])}`;
  // Browsers name gzip first, but Brotli's output is smaller.
  return /\bbr\b/i.test(acceptable) ? 'br' : /\bgzip\b/i.test(acceptable) ? 'gzip' : 'identity';
}
