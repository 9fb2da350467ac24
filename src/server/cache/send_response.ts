import type { IncomingMessage, ServerResponse } from 'node:http';
import Negotiator from 'negotiator';
import type { EncodedResponse, Encoding } from './encoded_response.ts';

interface SendOptions {
  /** Whether a conditional request may be answered with 304; true by default. */
  readonly allow304?: boolean;
  /** Headers beside those of the response, as alternating names and values. */
  readonly extraHeaders?: (headers: readonly string[]) => readonly string[];
}

/** Sends a response in the best encoding that the client accepts, or 304 when its copy is current. */
export function sendResponse(
  { headers }: IncomingMessage,
  response: ServerResponse,
  { status, etag, notModifiedHeaders: unchanged, variants }: EncodedResponse,
  { allow304 = true, extraHeaders = () => [] }: SendOptions = {},
): void {
  if (allow304 && status === 200 && matchesEtag(headers['if-none-match'], etag)) {
    response.writeHead(304, [...unchanged, ...extraHeaders(unchanged)]).end();
    return;
  }
  const variant = variants[negotiateEncoding(headers['accept-encoding'])] ?? variants.identity;
  response.writeHead(status, [...variant.headers, ...extraHeaders(variant.headers)]);
  response.end(variant.body);
}

/** Whether `If-None-Match` names this version (RFC 9110, 13.1.2: weak comparison). */
export function matchesEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const opaque = (tag: string) => tag.trim().replace(/^W\//, '');
  return ifNoneMatch.split(',').some((tag) => tag.trim() === '*' || opaque(tag) === opaque(etag));
}

/** The best of our encodings that an `Accept-Encoding` header allows. */
export function negotiateEncoding(accepted: string | undefined): Encoding {
  if (!accepted) return 'identity';
  // A plain list, as browsers send it, needs no parser: that would slow down every cached page.
  const acceptable = /^[\w, ]+$/.test(accepted)
    ? accepted.toLowerCase().split(/[, ]+/)
    : new Negotiator({ headers: { 'accept-encoding': accepted } }).encodings(['br', 'gzip']);
  // Browsers name gzip first; Brotli is smaller.
  return acceptable.includes('br') ? 'br' : acceptable.includes('gzip') ? 'gzip' : 'identity';
}
