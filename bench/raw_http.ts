import { get } from 'node:http';
import { buffer } from 'node:stream/consumers';

/** An answer as it came over the wire. */
export interface RawResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Encoded as it was sent. */
  readonly body: Buffer;
}

/** Asks once; nothing is followed, decoded or added. */
export function getRaw(
  url: string,
  headers: Readonly<Record<string, string>>,
): Promise<RawResponse> {
  return new Promise((resolve, reject) => {
    get(url, { headers }, (response) => {
      buffer(response).then((body) => {
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body });
      }, reject);
    }).on('error', reject);
  });
}
