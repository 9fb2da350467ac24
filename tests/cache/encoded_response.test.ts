import { expect, test } from 'vitest';
import { COMPRESSIONS, encodeResponse } from '#server/cache/encoded_response.ts';

test.each([[600], [6000], [60_000]])(
  'the buffers of a response of %i bytes take no more memory than its counted bytes',
  async (length) => {
    const rendered = {
      status: 200,
      headers: new Map([['content-type', 'text/html']]),
      body: Buffer.from('a design '.repeat(length / 9)),
    };
    const encoded = await encodeResponse(rendered, COMPRESSIONS);
    const bodies = Object.values(encoded.variants).map(({ body }) => body.buffer.byteLength);
    expect(bodies).toHaveLength(3);
    expect(bodies.reduce((total, bytes) => total + bytes, 0)).toBeLessThanOrEqual(encoded.bytes);
  },
);
