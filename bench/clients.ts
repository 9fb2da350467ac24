import autocannon from 'autocannon';
import type { Answered, Load } from './load.ts';

// The clients of load.ts: what is to be done comes as a message, and so does the answer.
process.on('message', async ({ url, connections, seconds, headers, paths }: Load) => {
  const result = await autocannon({
    url,
    connections,
    duration: seconds,
    ...(headers ? { headers } : {}),
    ...(paths ? { requests: paths.map((path) => ({ path })) } : {}),
  });
  const answered: Answered = {
    answers: result.requests.total,
    failures: result.non2xx + result.errors + result.timeouts,
    perSecond: result.requests.total / result.duration,
  };
  process.send?.(answered);
});
