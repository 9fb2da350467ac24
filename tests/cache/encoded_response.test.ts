import { brotliDecompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { COMPRESSIONS, encodeResponse } from '#server/cache/encoded_response.ts';

function textOf(length: number) {
  return {
    status: 200,
    headers: new Map([['content-type', 'text/html']]),
    body: Buffer.from('a design '.repeat(length / 9)),
  };
}

test.each([[600], [6000], [60_000]])(
  'the buffers of a response of %i bytes take no more memory than its counted bytes',
  async (length) => {
    const encoded = await encodeResponse(textOf(length), COMPRESSIONS);
    const bodies = Object.values(encoded.variants).map(({ body }) => body.buffer.byteLength);
    expect(bodies).toHaveLength(3);
    expect(bodies.reduce((total, bytes) => total + bytes, 0)).toBeLessThanOrEqual(encoded.bytes);
  },
);

test.each([[513], [70_000], [5_000_000]])('Brotli of %i bytes loses nothing', async (length) => {
  const rendered = textOf(length);
  const { variants } = await encodeResponse(rendered, ['br']);
  expect(brotliDecompressSync(variants.br?.body ?? '').equals(rendered.body)).toBe(true);
});
