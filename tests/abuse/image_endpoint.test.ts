import { request } from 'node:http';
import { expect, test } from 'vitest';
import { openSandbox } from '#support/sandbox.ts';

const PICTURE = encodeURIComponent('/og.png');
/** Forms of the address at which Astro would resize pictures. */
const TARGETS = [
  '/_image',
  '/_image/',
  `/_image?href=${PICTURE}&w=4000&f=avif`,
  `/_image/?href=${PICTURE}`,
  `/_image?href=${encodeURIComponent('https://example.com/picture.png')}&f=png`,
  '/%5Fimage?href=/favicon.svg',
  '/%5f%69mage/?href=/favicon.svg',
  '//_image?href=/favicon.svg',
  '/./_image?href=/favicon.svg',
  '/_image/x?href=/favicon.svg',
];

test('the image endpoint of Astro answers 404 in every form of its address', async () => {
  await using sandbox = await openSandbox();
  const server = await sandbox.serve({ env: { DEMO: '0' } });
  for (const target of TARGETS)
    for (const method of ['GET', 'HEAD', 'POST'])
      expect([method, target, await statusOf(server.port, method, target)]).toEqual([
        method,
        target,
        404,
      ]);
});

/** Sends the target as it is: `fetch` would normalize it. */
function statusOf(port: number, method: string, path: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const call = request({ port, method, path }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    call.on('error', reject);
    call.end();
  });
}
