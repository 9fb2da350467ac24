import { execFileSync } from 'node:child_process';
import type { Server } from 'node:http';

/** How long requests in flight may take before they are cut off. */
const DRAIN_MS = 10_000;
const LOOK_EVERY_MS = 500;

/** Takes no new connections, and waits for the requests in flight. */
export async function drain(server: Server): Promise<void> {
  await new Promise<void>((resolve) => {
    const cutOff = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
    server.close(() => {
      clearTimeout(cutOff);
      resolve();
    });
    server.closeIdleConnections();
  });
}

/** Calls `stop` once: at a first signal, or when the npm that started us is gone. */
export function onEnd(stop: (why: string) => Promise<void>): void {
  let stopping = false;
  const end = (why: string) => {
    if (stopping) return;
    stopping = true;
    clearInterval(watch);
    void stop(why);
  };
  const launchers = process.env['npm_lifecycle_event'] === undefined ? [] : launcherIds();
  const watch = setInterval(() => {
    if (!launchers.every(isAlive)) end('npm is gone');
  }, LOOK_EVERY_MS);
  if (launchers.length === 0) clearInterval(watch);
  else watch.unref();
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
    process.on(signal, () => end(signal));
}

/** npm starts us through a shell that may stay in between and outlive it. */
function launcherIds(): number[] {
  const parent = process.ppid;
  try {
    const grandparent = Number(execFileSync('ps', ['-o', 'ppid=', '-p', String(parent)]));
    const command = execFileSync('ps', ['-o', 'comm=', '-p', String(parent)], { encoding: 'utf8' });
    return /sh$/.test(command.trim()) && grandparent > 1 ? [parent, grandparent] : [parent];
  } catch {
    return [parent];
  }
}

function isAlive(id: number): boolean {
  try {
    process.kill(id, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
