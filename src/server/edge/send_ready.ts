import type { IncomingMessage, ServerResponse } from 'node:http';
import { LRUCache } from 'lru-cache';
import Negotiator from 'negotiator';
import type { Encoding, ReadyAnswer } from './ready_answer.ts';

interface SendOptions {
  /** Whether a browser that has this version may be answered 304; true unless given. */
  readonly allow304?: boolean;
  /** Headers beside the answer's own, as names and values in turn. */
  readonly extraHeaders?: (headers: readonly string[]) => readonly string[];
}

/** Sends an answer in the best encoding that the browser accepts, or 304 when it has it already. */
export function sendReady(
  { headers }: IncomingMessage,
  response: ServerResponse,
  { status, etag, unchanged, variants }: ReadyAnswer,
  { allow304 = true, extraHeaders = () => [] }: SendOptions = {},
): void {
  if (allow304 && status === 200 && isKnown(headers['if-none-match'], etag)) {
    response.writeHead(304, [...unchanged, ...extraHeaders(unchanged)]).end();
    return;
  }
  const variant = variants[encodingFor(headers['accept-encoding'])] ?? variants.identity;
  response.writeHead(status, [...variant.headers, ...extraHeaders(variant.headers)]);
  response.end(variant.body);
}

/** Whether the browser has it already (RFC 9110, 13.1.2: compared weakly). */
export function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const bare = (tag: string) => tag.trim().replace(/^W\//, '');
  return ifNoneMatch.split(',').some((tag) => tag.trim() === '*' || bare(tag) === bare(etag));
}

/** Browsers send one of a few. */
const encodings = new LRUCache<string, Encoding>({ max: 100 });

/** The best of our encodings that an `Accept-Encoding` header allows. */
export function encodingFor(accepted: string | undefined): Encoding {
  if (!accepted) return 'identity';
  const known = encodings.get(accepted);
  if (known) return known;
  const negotiator = new Negotiator({ headers: { 'accept-encoding': accepted } });
  // Its own order is the browser's, which puts gzip first.
  const acceptable = negotiator.encodings(['br', 'gzip']);
  const best = acceptable.includes('br') ? 'br' : acceptable.includes('gzip') ? 'gzip' : 'identity';
  encodings.set(accepted, best);
  return best;
}
