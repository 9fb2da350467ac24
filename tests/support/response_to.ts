import type { ClientRequest, IncomingMessage } from 'node:http';

/** The response to a request, its body still to be read. Call it before the request can be answered. */
export function responseTo(call: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    call.once('response', resolve).once('error', reject);
  });
}
