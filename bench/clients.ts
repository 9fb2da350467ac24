import autocannon from 'autocannon';
import type { Answered, Load } from './load.ts';
import { doTasks } from './worker.ts';

// Clients in a process of their own, so that they take nothing from the server's.
doTasks<Load, Answered>(async ({ url, connections, until, headers, paths }) => {
  const start = performance.now();
  const result = await autocannon({
    url,
    connections,
    ...('seconds' in until ? { duration: until.seconds } : { amount: until.answers }),
    ...(headers ? { headers } : {}),
    ...(paths ? { requests: paths.map((path) => ({ path })) } : {}),
  });
  const answers = result.requests.total;
  const failures = result.non2xx + result.errors + result.timeouts;
  if (failures > 0) throw new Error(`${url}: ${failures} of ${answers} answers failed`);
  return {
    answers,
    perSecond: answers / ((performance.now() - start) / 1000),
    bytesEach: result.throughput.total / answers,
  };
});
