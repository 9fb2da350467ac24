// @vitest-environment node
import { expect, onTestFinished, test, vi } from 'vitest';
import { deleteDesign } from '#client/designs.ts';
import { createHttpTransport } from '#client/http.ts';
import { deleteImage } from '#client/images.ts';
import { deleteService } from '#client/services.ts';

test.each([
  ['design', deleteDesign],
  ['picture', deleteImage],
  ['service', deleteService],
] as const)(
  'the deletion of a %s completes even if the browser leaves the page (keepalive)',
  async (_, remove) => {
    const sent: Request[] = [];
    vi.stubGlobal('fetch', async (request: Request) => {
      sent.push(request);
      return new Response(null, { status: 204 });
    });
    onTestFinished(() => {
      vi.unstubAllGlobals();
    });
    await remove(createHttpTransport('http://api.test'), 'one');
    expect(sent.map(({ method, keepalive }) => [method, keepalive])).toEqual([['DELETE', true]]);
  },
);
