import { expect, test } from 'vitest';
import { COMPRESSIONS, encodeResponse } from '#server/cache/encoded_response.ts';

test.each([[600], [6000], [60_000]])(
  'an answer of %i bytes takes hardly more memory than is counted',
  async (length) => {
    const made = {
      status: 200,
      headers: new Map([['content-type', 'text/html']]),
      body: Buffer.from('a design '.repeat(length / 9)),
    };
    const answer = await encodeResponse(made, COMPRESSIONS);
    const bodies = Object.values(answer.variants).map(({ body }) => body.buffer.byteLength);
    expect(bodies).toHaveLength(3);
    expect(bodies.reduce((total, bytes) => total + bytes, 0)).toBeLessThanOrEqual(answer.bytes);
  },
);
