import { startListening } from './children.ts';
import type { Figure } from './figure.ts';
import { compareUnderLoad } from './load.ts';
import { openPlace } from './place.ts';
import { ask, type RawAnswer } from './raw.ts';

const CONNECTIONS = 50;
const AS_BROWSERS_DO = { 'Accept-Encoding': 'gzip, deflate, br, zstd' };
/** What node:http writes by itself. */
const OWN = new Set(['date', 'connection', 'keep-alive']);

export const cachedPage: Figure = {
  name: 'cached-page',
  what: `cached artist page, requests/s, ${CONNECTIONS} connections`,
  yardstick: 'bare `node:http` sending the same bytes',
  toReach: { atLeast: 0.8 },
  how: 'The designs page of a demo artist in Brotli, checked to come from the page cache; the yardstick sends the same headers and the same body from memory.',
  async measure(scale) {
    await using place = await openPlace();
    await using server = await place.serve();
    const page = `${server.url}/ana/`;
    const kept = await untilKept(page);
    await using bare = await startListening('bench/yardsticks/bytes.ts', {
      HEADERS: JSON.stringify(
        Object.entries(kept.headers)
          .filter(([name]) => !OWN.has(name))
          .flat(),
      ),
      BODY: kept.body.toString('base64'),
    });
    const how = {
      connections: CONNECTIONS,
      seconds: scale === 'full' ? 4 : 2,
      headers: AS_BROWSERS_DO,
    };
    return await compareUnderLoad(
      scale === 'full' ? 9 : 3,
      { ...how, url: page, pid: server.pid },
      { ...how, url: bare.url, pid: bare.pid },
    );
  },
};

/** The page as the cache sends it: in Brotli, and unchanged for whoever has it. */
async function untilKept(page: string): Promise<RawAnswer> {
  await ask(page, AS_BROWSERS_DO);
  const kept = await ask(page, AS_BROWSERS_DO);
  const { etag, 'content-encoding': encoding } = kept.headers;
  const again = await ask(page, { ...AS_BROWSERS_DO, 'If-None-Match': String(etag) });
  if (kept.status !== 200 || encoding !== 'br' || again.status !== 304)
    throw new Error(`${page} is not kept: ${kept.status}, ${encoding}, then ${again.status}`);
  return kept;
}
