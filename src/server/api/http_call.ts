/** Carries a call over HTTP: reads a request for a route, and writes the route's response. */
import * as z from 'zod/mini';
import { toCacheHeaders } from '#cache/policy.ts';
import { validateImages } from '#server/operations/catalogue/store_images.ts';
import type { Context } from '#server/operations/context.ts';
import { maxBodyBytes } from './body_bound.ts';
import { decodeParameters, readBody } from './input.ts';
import { drainBody, receiveMultipart } from './multipart.ts';
import type { RawCall, Route, RouteResult, Upload } from './route.ts';

/** The longest `raw` body, whose schema has no limits, such as an event of the payment provider. */
const MAX_RAW_BYTES = 256 * 1024;
const JpegBytes = z.instanceof(Uint8Array<ArrayBuffer>);
const NamedDownload = z.object({
  name: z.string(),
  size: z.int(),
  body: z.instanceof(ReadableStream<Uint8Array>),
});

/** The API's only HTML is the text of a mail. No script in it may run on our origin. */
const HTML_HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy':
    "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
};

/**
 * Handles one request of a route.
 * @param call the caller's network, and the parameters of the path as the client sent them
 * @throws the route's errors, such as a Refusal
 */
export async function respond(
  route: Route,
  context: Context,
  request: Request,
  call: Pick<RawCall, 'path' | 'network'>,
): Promise<Response> {
  try {
    const result = await route.handleCall(context, {
      ...call,
      authorization: request.headers.get('Authorization') ?? undefined,
      userAgent: request.headers.get('User-Agent') ?? undefined,
      // A getter, so that the caller is identified first: a stranger with a wrong query gets a 401. A route
      // without query parameters ignores the query.
      get query() {
        return route.input.query && decodeParameters(new URL(request.url).search.slice(1), 'query');
      },
      header: route.input.header && Object.fromEntries(request.headers),
      readBody: (upload) => readInputBody(route, context, request, upload),
    });
    return toResponse(route, result);
  } finally {
    // A client reads our response only after it has sent everything, so the rest of a refused upload is read
    // and discarded. Of a complete upload, nothing is left.
    if (route.bodyKind === 'multipart') await drainBody(request);
  }
}

/** Reads the body of a call, without validating its fields. Files are on the disk afterwards. */
export async function readInputBody(
  { bodyKind = 'json', imageCount = 'one', input }: Route,
  context: Context,
  request: Request,
  { uploader, cleanup }: Upload,
): Promise<unknown> {
  if (bodyKind !== 'multipart') {
    const hasLimits = bodyKind !== 'raw' && input.body !== undefined;
    const maxBytes = hasLimits ? maxBodyBytes(input.body, bodyKind) : MAX_RAW_BYTES;
    return readBody(request, bodyKind, maxBytes);
  }
  const { uploadFolder, uploadSpace } = context;
  const reservation = uploadSpace.open(uploader);
  const body = await receiveMultipart(request, { imageCount, uploadFolder, reservation, cleanup });
  const fields = Object.values(body);
  const files = fields.filter((field) => typeof field !== 'string').flat();
  await validateImages(context, uploader.id, files);
  return body;
}

function toResponse(
  { responseKind, status }: Route,
  { value, cachePolicy }: RouteResult,
): Response {
  const headers = cachePolicy ? toCacheHeaders(cachePolicy) : {};
  if (responseKind === 'html')
    return new Response(String(value), { status, headers: { ...HTML_HEADERS, ...headers } });
  if (responseKind === 'jpeg')
    return new Response(JpegBytes.parse(value), {
      status,
      headers: { 'Content-Type': 'image/jpeg', ...headers },
    });
  if (responseKind === 'zip') {
    const { name, size, body } = NamedDownload.parse(value);
    return new Response(body, {
      status,
      headers: {
        'Content-Type': 'application/zip',
        'Content-Length': String(size),
        'Content-Disposition': `attachment; filename="${name}"`,
        'Cache-Control': 'no-store',
      },
    });
  }
  if (status === 204) return new Response(null, { status, headers });
  return Response.json(value, { status, headers });
}
