import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

/** An answer as whoever makes it gives it. */
export interface MadeAnswer {
  readonly status: number;
  /** By name, in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Buffer;
}

export const COMPRESSIONS = ['br', 'gzip'] as const;
export type Compression = (typeof COMPRESSIONS)[number];
export type Encoding = Compression | 'identity';

/** What is sent for one encoding: names and values in turn, and the body. */
interface Variant {
  readonly headers: readonly string[];
  readonly body: Buffer;
}

/** An answer in every encoding in which it is sent. */
export interface ReadyAnswer {
  readonly status: number;
  readonly etag: string;
  readonly variants: Readonly<Partial<Record<Encoding, Variant>>> & { readonly identity: Variant };
  /** Headers of an answer that says that nothing has changed, in turn as names and values. */
  readonly unchanged: readonly string[];
  /** What it takes of memory, about. */
  readonly bytes: number;
}

/** Pays on each page view, at two milliseconds for a page that is made anew. */
const BROTLI_QUALITY = 5;
/** Below this, headers weigh more than what is gained. */
const LEAST_BYTES = 512;
const TEXT =
  /^(?:text\/|application\/(?:json|xml|manifest\+json|speculationrules\+json)|image\/svg)/;
/** What belongs to one connection, or is written anew. */
const NOT_KEPT = new Set([
  'connection',
  'content-encoding',
  'content-length',
  'date',
  'etag',
  'keep-alive',
  'surrogate-control',
  'transfer-encoding',
  'vary',
]);
/** A browser reads an answer that it has by the headers of the one that says so. */
const STANDS_FOR_UNCHANGED = [
  'access-control-allow-credentials',
  'access-control-allow-origin',
  'access-control-expose-headers',
  'cache-control',
  'cache-tag',
  'content-security-policy',
];
const OVERHEAD_BYTES = 1024;

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

/** Compresses a body in these ways, and writes the headers that go with each. */
export async function makeReady(
  made: MadeAnswer,
  compressions: readonly Compression[],
): Promise<ReadyAnswer> {
  const isWorthIt = isText(made) && made.body.length >= LEAST_BYTES;
  return withEncodings(
    made,
    isWorthIt
      ? await Promise.all(
          compressions.map(async (one) => [one, await compress(made.body, one)] as const),
        )
      : undefined,
  );
}

/**
 * Writes the headers of an answer and of its encodings.
 * @param encodings the body in each compression; undefined when it is never sent compressed
 */
export function withEncodings(
  { status, headers, body: made }: MadeAnswer,
  encodings: readonly (readonly [Compression, Buffer])[] | undefined,
): ReadyAnswer {
  const body = apart(made);
  const compressed = (encodings ?? []).map(([one, bytes]) => [one, apart(bytes)] as const);
  const etag = `W/"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
  const vary = [headers.get('vary'), encodings ? 'Accept-Encoding' : undefined].filter(Boolean);
  const shared = [...headers].filter(([name]) => !NOT_KEPT.has(name)).flat();
  if (vary.length > 0) shared.push('vary', vary.join(', '));
  shared.push('etag', etag);
  const variant = (encoding: Encoding, encoded: Buffer): Variant => ({
    headers: [
      ...shared,
      ...(encoding !== 'identity' ? ['content-encoding', encoding] : []),
      'content-length',
      String(encoded.length),
    ],
    body: encoded,
  });
  const unchanged = [...headers]
    .filter(([name]) => STANDS_FOR_UNCHANGED.includes(name))
    .flat()
    .concat(vary.length > 0 ? ['vary', vary.join(', ')] : [], ['etag', etag]);
  const identity = variant('identity', body);
  return {
    status,
    etag,
    variants: {
      ...Object.fromEntries(compressed.map(([one, encoded]) => [one, variant(one, encoded)])),
      identity,
    },
    unchanged,
    bytes:
      body.length +
      compressed.reduce((total, [, encoded]) => total + encoded.length, 0) +
      3 * shared.join('').length +
      OVERHEAD_BYTES,
  };
}

function isText({ headers }: MadeAnswer): boolean {
  return TEXT.test(headers.get('content-type') ?? '');
}

/** Bytes of their own: those that are a part of something larger keep all of it in memory. */
function apart(bytes: Buffer): Buffer {
  const copy = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(copy);
  return copy;
}

function compress(body: Buffer, compression: Compression): Promise<Buffer> {
  if (compression === 'gzip') return zip(body);
  return brotli(body, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } });
}
