import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { vi } from 'vitest';

/** Includes compiling the configuration of Varnish. */
const START_MS = 30_000;

/** Other users may enter it: nginx started by root runs its workers as one of them. */
export async function openDaemonFolder(name: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), `linework-${name}-`));
  await chmod(folder, 0o755);
  return folder;
}

/**
 * Starts a program and waits until it is ready.
 * @returns a function that stops it and deletes its folder
 */
export async function startDaemon(
  command: string,
  args: readonly string[],
  folder: string,
  isReady: () => Promise<boolean>,
): Promise<() => Promise<void>> {
  const env = { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
  const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  let failure: Error | undefined;
  child.on('error', (error) => {
    failure = error;
  });
  const hasEnded = () =>
    failure !== undefined || child.exitCode !== null || child.signalCode !== null;
  const stop = async () => {
    if (!hasEnded()) {
      child.kill('SIGTERM');
      await once(child, 'exit');
    }
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    const options = { timeout: START_MS, interval: 50 };
    await vi.waitUntil(async () => hasEnded() || (await isReady()), options);
    if (hasEnded())
      throw new Error(
        `${command} did not start: ${failure?.message ?? output}\nOn Debian: apt-get install ${command.replace(/d$/, '')}`,
      );
  } catch (error) {
    await stop();
    throw error;
  }
  return stop;
}
