import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

/** A response as a page or the API renders it. */
export interface RenderedResponse {
  readonly status: number;
  /** By name in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Buffer;
}

export const COMPRESSIONS = ['br', 'gzip'] as const;
export type Compression = (typeof COMPRESSIONS)[number];
export type Encoding = Compression | 'identity';

/** The response in one encoding; the headers are alternating names and values. */
interface Variant {
  readonly headers: readonly string[];
  readonly body: Buffer;
}

/** A response, prepared in every encoding in which it is sent. */
export interface EncodedResponse {
  readonly status: number;
  readonly etag: string;
  readonly variants: Readonly<Partial<Record<Encoding, Variant>>> & { readonly identity: Variant };
  /** Headers of a 304 response, as alternating names and values. */
  readonly notModifiedHeaders: readonly string[];
  /** Approximate size in memory. */
  readonly bytes: number;
}

/** Compresses a page in two milliseconds; higher qualities gain little. */
const BROTLI_QUALITY = 5;
/** Compressing less than this does not pay. */
const MIN_COMPRESSED_BYTES = 512;
const TEXT =
  /^(?:text\/|application\/(?:json|xml|manifest\+json|speculationrules\+json)|image\/svg)/;
/** Headers that belong to one connection, or that `toEncodedResponse` writes itself. */
const DROPPED_HEADERS = new Set([
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
/** A 304 response repeats these: browsers apply them to the stored response. */
const NOT_MODIFIED_HEADERS = [
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

/** Compresses a response in these encodings, and writes the headers of each. */
export async function encodeResponse(
  rendered: RenderedResponse,
  compressions: readonly Compression[],
): Promise<EncodedResponse> {
  const { headers, body } = rendered;
  const isText = TEXT.test(headers.get('content-type') ?? '');
  if (!isText || body.length < MIN_COMPRESSED_BYTES) return toEncodedResponse(rendered, undefined);
  const compressed = compressions.map(async (name) => [name, await compress(body, name)] as const);
  return toEncodedResponse(rendered, await Promise.all(compressed));
}

/**
 * Writes the headers of a response in each encoding.
 * @param compressed the body in each compression; undefined when it is never sent compressed
 */
export function toEncodedResponse(
  { status, headers, body }: RenderedResponse,
  compressed: readonly (readonly [Compression, Buffer])[] | undefined,
): EncodedResponse {
  const etag = `W/"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
  const vary = [headers.get('vary'), compressed ? 'Accept-Encoding' : undefined].filter(Boolean);
  const varyAndEtag = [...(vary.length > 0 ? ['vary', vary.join(', ')] : []), 'etag', etag];
  const shared = [...headers].filter(([name]) => !DROPPED_HEADERS.has(name)).flat();
  shared.push(...varyAndEtag);
  const variant = (encoding: Encoding, encoded: Buffer): Variant => ({
    headers: [
      ...shared,
      ...(encoding !== 'identity' ? ['content-encoding', encoding] : []),
      'content-length',
      String(encoded.length),
    ],
    body: copyOf(encoded),
  });
  const bodies = [body, ...(compressed ?? []).map(([, encoded]) => encoded)];
  return {
    status,
    etag,
    variants: {
      ...Object.fromEntries(
        (compressed ?? []).map(([name, encoded]) => [name, variant(name, encoded)]),
      ),
      identity: variant('identity', body),
    },
    notModifiedHeaders: [
      ...[...headers].filter(([name]) => NOT_MODIFIED_HEADERS.includes(name)).flat(),
      ...varyAndEtag,
    ],
    bytes:
      bodies.reduce((total, { length }) => total + length, 0) +
      3 * shared.join('').length +
      OVERHEAD_BYTES,
  };
}

/** Copies bytes: a slice would hold the whole buffer that it belongs to in memory. */
function copyOf(bytes: Buffer): Buffer {
  const copy = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(copy);
  return copy;
}

function compress(body: Buffer, compression: Compression): Promise<Buffer> {
  if (compression === 'gzip') return zip(body);
  return brotli(body, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } });
}
