import type { Benchmark } from './benchmark.ts';
import { BROWSER_HEADERS, CONNECTIONS, fetchUntilCached } from './cached_page.ts';
import { compareUnderLoad } from './load.ts';
import { getRaw } from './raw_http.ts';
import { openSandbox } from './sandbox.ts';

const WORKERS = 2;

export const workers: Benchmark = {
  name: 'workers',
  title: `cached artist page with \`WORKERS=${WORKERS}\`, requests/s, ${CONNECTIONS} connections`,
  baseline: 'the same with one process',
  target: 'none',
  method:
    'The page and the load of cached-page, on two servers by turns. wrk runs on the same machine, and needs a part of a core itself.',
  async measure(scale) {
    await using place = await openSandbox();
    await using several = await place.serve({ WORKERS: String(WORKERS) });
    await using otherPlace = await openSandbox();
    await using one = await otherPlace.serve();
    const load = {
      connections: CONNECTIONS,
      seconds: scale === 'full' ? 4 : 2,
      headers: BROWSER_HEADERS,
    };
    const [url, otherUrl] = [`${several.url}/ana/`, `${one.url}/ana/`];
    // Each worker has its own cache; new connections go round robin.
    for (let worker = 0; worker < WORKERS; worker += 1) await getRaw(url, BROWSER_HEADERS);
    for (const page of [url, otherUrl]) await fetchUntilCached(page);
    const { ratio, ours, baseline } = await compareUnderLoad(
      scale === 'full' ? 9 : 3,
      { ...load, url, pid: several.pid },
      { ...load, url: otherUrl, pid: one.pid },
    );
    // The notes would count the processor time of the primary process only.
    return { ratio, ours, baseline };
  },
};
