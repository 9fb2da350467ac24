import { chmod, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isAlive, waitUntilExited } from '#support/sandbox.ts';

export type Machine = Awaited<ReturnType<typeof openMachine>>;

/**
 * A stand-in for a machine with systemd: a folder, commands that are found before the system's own, and
 * one server. Open it with `await using`.
 */
export async function openMachine() {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'linework-machine-')));
  // The database's own user must enter it when the tests run as root.
  await chmod(folder, 0o755);
  await mkdir(join(folder, 'bin'));
  const readPid = async () =>
    Number(await readFile(join(folder, 'pid'), 'utf8').catch(() => undefined));
  return {
    folder,
    path: `${join(folder, 'bin')}:${process.env['PATH']}`,
    /** The process id of the server; NaN before its first start. */
    readPid,
    readLog: () => readFile(join(folder, 'log'), 'utf8').catch(() => ''),
    /** @param script of a shell */
    addCommand: (name: string, script: string) =>
      writeFile(join(folder, 'bin', name), `#!/bin/sh\n${script}\n`, { mode: 0o755 }),
    /** The words of a shell that start the server with these settings. */
    startServer: (settings: string, program: string) =>
      `${settings} setsid node_modules/.bin/node ${program} > '${folder}/log' 2>&1 < /dev/null &
      echo $! > '${folder}/pid'`,
    /** Stops the server, and deletes the folder. */
    async [Symbol.asyncDispose]() {
      const pid = await readPid();
      if (pid > 0 && (await isAlive(pid))) {
        process.kill(pid, 'SIGTERM');
        await waitUntilExited(pid);
      }
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
