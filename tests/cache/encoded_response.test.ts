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
    const { variants, bytes } = await encodeResponse(textOf(length), COMPRESSIONS);
    const bodies = [variants.br, variants.gzip].map((variant) => variant?.readBody());
    expect(bodies).not.toContain(undefined);
    const taken = bodies.reduce((total, body) => total + (body?.buffer.byteLength ?? 0), 0);
    expect(taken).toBeLessThanOrEqual(bytes);
  },
);

test('a response that has compressed forms is stored in these alone, and sent uncompressed too', async () => {
  const rendered = textOf(60_000);
  const { variants, bytes } = await encodeResponse(rendered, COMPRESSIONS);
  expect(bytes).toBeLessThan(rendered.body.length / 10);
  const { headers, readBody } = variants.identity;
  expect(readBody().equals(rendered.body)).toBe(true);
  expect(headers.slice(-2)).toEqual(['content-length', String(rendered.body.length)]);
});

test.each([[513], [70_000], [5_000_000]])('Brotli of %i bytes loses nothing', async (length) => {
  const rendered = textOf(length);
  const { variants } = await encodeResponse(rendered, ['br']);
  expect(brotliDecompressSync(variants.br?.readBody() ?? '').equals(rendered.body)).toBe(true);
});
