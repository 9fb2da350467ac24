import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { handleTasks } from './task_worker.ts';

export interface ServersTask {
  /** The variables of each server. */
  readonly environments: readonly Readonly<Record<string, string>>[];
}

// As in `src/server/main.ts`.
setFlagsFromString('--no-allocation-site-pretenuring');
const { readConfig } = await import('#server/settings/config.ts');
const { createLog } = await import('#server/log/log.ts');
const { listenForShutdown } = await import('#server/shutdown.ts');
const { startServer } = await import('#server/start_server.ts');

const BUILD = join(import.meta.dirname, '../dist/current');
const shutdown = listenForShutdown();
let isStopping = false;
function stop(): void {
  if (isStopping) return;
  isStopping = true;
  void shutdown.resources.disposeAsync().finally(() => process.exit());
}
shutdown.signal.addEventListener('abort', stop);
// The benchmark was killed.
process.on('disconnect', stop);

/**
 * Starts the servers in this one process, so that they share what differs between two processes: the
 * compiled code, the heap, the place in memory. The answer is the port of each.
 */
handleTasks<ServersTask, number[]>(async ({ environments }) => {
  const ports: number[] = [];
  for (const environment of environments) {
    const config = readConfig(environment);
    const log = createLog(config.log);
    ports.push(await startServer(config, BUILD, shutdown, log));
  }
  return ports;
});
