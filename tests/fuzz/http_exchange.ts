/** Sends calls as they are, also those that `fetch` would refuse to send. */
import { Agent, type OutgoingHttpHeaders, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import { errorCode } from '#server/database/error_code.ts';
import { responseTo } from '#support/response_to.ts';

export interface HttpCall {
  readonly method: string;
  /** With the query, encoded as it is sent. */
  readonly path: string;
  readonly headers: OutgoingHttpHeaders;
  readonly body: Buffer | undefined;
}

export interface HttpAnswer {
  /** 0 without an answer. */
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Not compressed. */
  readonly body: Buffer;
  /** From sending the call until the end of the answer. */
  readonly milliseconds: number;
}

const TIMEOUT_MS = 30_000;

/** Opens connections to a server. */
export function openConnections(origin: string) {
  const agent = new Agent({ keepAlive: true });
  const send = async (call: HttpCall): Promise<HttpAnswer> => {
    const { method, path, headers, body } = call;
    const startedAt = performance.now();
    const { hostname, port } = new URL(origin);
    const sent = request({ hostname, port, path, method, headers, agent, timeout: TIMEOUT_MS });
    try {
      sent.on('timeout', () => sent.destroy(new Error(`No answer in ${TIMEOUT_MS} ms`)));
      const pending = responseTo(sent);
      sent.end(body);
      const response = await pending;
      const bytes = await buffer(response);
      const milliseconds = performance.now() - startedAt;
      const texts = Object.entries(response.headers).map(([name, value]) => [name, `${value}`]);
      return {
        status: response.statusCode ?? 0,
        headers: Object.fromEntries(texts),
        body: decompress(bytes, response.headers['content-encoding']),
        milliseconds,
      };
    } catch (error) {
      // The server had closed the idle connection meanwhile. Browsers repeat a read then, too.
      const isRead = method === 'GET' || method === 'HEAD';
      if (sent.reusedSocket && isRead && errorCode(error) === 'ECONNRESET') return send(call);
      const milliseconds = performance.now() - startedAt;
      return { status: 0, headers: {}, body: Buffer.from(`${error}`), milliseconds };
    }
  };
  return { send, close: () => agent.destroy() };
}

function decompress(bytes: Buffer, encoding: string | undefined): Buffer {
  if (bytes.length === 0) return bytes;
  if (encoding === 'br') return brotliDecompressSync(bytes);
  if (encoding === 'gzip') return gunzipSync(bytes);
  return encoding === 'deflate' ? inflateSync(bytes) : bytes;
}
