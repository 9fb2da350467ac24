import type { ClientRequest, IncomingMessage } from 'node:http';

/** The response to a request, with an unread body. Call it before the response can arrive. */
export function responseTo(request: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.once('response', resolve).once('error', reject);
  });
}
