import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';

const PROJECT = resolve(import.meta.dirname, '..');
const READY_MS = 60_000;

/**
 * The variables of all measured processes, ours and the yardsticks'. Those of malloc are as in the script `npm start`
 * and in the Dockerfile (docs/decisions, 0028).
 */
export const PRODUCTION_ENVIRONMENT = {
  NODE_ENV: 'production',
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '131072',
};

/** A server, ours or a yardstick, in its own process; disposing it stops the process and waits for its end. */
export interface ChildServer extends AsyncDisposable {
  readonly process: ChildProcess;
  readonly pid: number;
  readonly url: string;
}

const runningChildren = new Set<ChildProcess>();

/** Stops all servers, so that the running benchmark fails and cleans up. */
export function stopAll(): void {
  for (const child of runningChildren) child.kill('SIGTERM');
}

/**
 * Starts a file of the project with Node, and waits until it prints its address.
 * @param environment its variables beside PATH, HOME and those of production
 * @param project the folder of another checkout; this one unless given
 */
export async function startServer(
  file: string,
  environment: Readonly<Record<string, string>>,
  options: readonly string[] = [],
  project = PROJECT,
): Promise<ChildServer> {
  const child = spawn(process.execPath, [...options, resolve(project, file)], {
    cwd: project,
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: process.env['HOME'] ?? '',
      ...PRODUCTION_ENVIRONMENT,
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    serialization: 'advanced',
  });
  runningChildren.add(child);
  child.once('exit', () => runningChildren.delete(child));
  let said = '';
  let isReady = false;
  const listening = new Promise<string>((resolve) => {
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      if (isReady) return;
      said += text;
      const url = /ready at (http:\S+)/.exec(said)?.[1];
      if (url === undefined) return;
      isReady = true;
      resolve(url);
    });
  });
  const ended = once(child, 'exit');
  const failed = ended.then(() => Promise.reject(new Error(`${file} ended:\n${said}`)));
  const late = new Promise<never>((_, reject) => {
    setTimeout(() => reject(new Error(`${file} did not start:\n${said}`)), READY_MS).unref();
  });
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
    await ended;
  };
  try {
    const url = await Promise.race([listening, failed, late]);
    failed.catch(() => {});
    return { process: child, pid: child.pid ?? 0, url, [Symbol.asyncDispose]: stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
