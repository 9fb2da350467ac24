import { expect, test } from 'vitest';
import { drainBody } from '#server/api/multipart.ts';

/** A request whose sender says no more. */
function stalled(): Request {
  const body = new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array(9)) });
  // Node asks for `duplex` when the body is a stream.
  const sent = { method: 'POST', body, duplex: 'half' };
  return new Request('http://linework.test/', sent);
}

test('whoever stalls in the middle of a body does not hold up its answer for ever', async () => {
  const request = stalled();
  await drainBody(request, 20);
  // Let go of, and not taken in.
  expect(request.body?.locked).toBe(false);
});
