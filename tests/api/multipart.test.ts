import { expect, test } from 'vitest';
import { drainBody } from '#server/api/multipart.ts';

/** A request whose client stops sending within the body. */
function createStalledRequest(): Request {
  const body = new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array(9)) });
  // Node requires `duplex` when the body is a stream.
  const init = { method: 'POST', body, duplex: 'half' };
  return new Request('http://linework.test/', init);
}

test('draining a body stops after a timeout when the client stalls', async () => {
  const request = createStalledRequest();
  await drainBody(request, 20);
  // The lock on the body was released.
  expect(request.body?.locked).toBe(false);
});
