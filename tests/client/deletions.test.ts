// @vitest-environment node
import { expect, onTestFinished, test, vi } from 'vitest';
import { call } from '#client/call.ts';
import { createHttpTransport } from '#client/http.ts';

import { deleteDesign } from '#contract/endpoints.ts';

test('a deletion completes even if the browser leaves the page (keepalive)', async () => {
  const sent: Request[] = [];
  vi.stubGlobal('fetch', async (...request: ConstructorParameters<typeof Request>) => {
    sent.push(new Request(...request));
    return new Response(null, { status: 204 });
  });
  onTestFinished(() => {
    vi.unstubAllGlobals();
  });
  await call(createHttpTransport('http://api.test'), deleteDesign, { path: { design_id: 'one' } });
  expect(sent.map(({ method, keepalive }) => [method, keepalive])).toEqual([['DELETE', true]]);
});
