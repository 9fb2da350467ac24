/** The two servers, their database, their disk and their mail server, all of which can fail. */
import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { vi } from 'vitest';
import * as z from 'zod';
import { startBundledPostgres } from '#server/database/bundled/bundled_postgres.ts';
import { freePort } from '#support/free_port.ts';
import { silentLog } from '#support/recorded_log.ts';
import { openSandbox } from '#support/sandbox.ts';
import { openSmtpServer } from '#support/smtp_server.ts';
import type { Fault } from './fault_plan.ts';

const run = promisify(execFile);

const KEY = 'a key that both servers share';
const DISK_MEGABYTES = 64;
const HIGH_LIMIT = '4096';
/** A server answers for so long that it is ready, without asking its database again (`createReadiness`). */
const READINESS_AGE_MS = 1000;
/** A recovery that takes longer has failed. A start takes 3 s at rest. */
const RECOVERY_MS = 120_000;
const POLL_MS = 50;

interface Server {
  readonly url: string;
  pid: number;
  /** All output of all its processes. */
  readonly output: () => string;
}

/** A line of the log, with the fields that are read here. */
const LogLine = z.looseObject({
  level: z.string(),
  component: z.string().optional(),
  msg: z.string(),
  request_id: z.string().optional(),
});
export type LogLine = z.output<typeof LogLine>;

export type Studio = Awaited<ReturnType<typeof openStudio>>;

export async function openStudio() {
  const resources = new AsyncDisposableStack();
  const sandbox = await openSandbox();
  resources.use(sandbox);
  const postgres = await startBundledPostgres({ dataDir: sandbox.dataDir, log: silentLog });
  resources.defer(() => postgres.stop());
  const smtp = resources.use(await openSmtpServer());
  const disk = await openDisk(resources);
  const surprises: string[] = [];
  /** Processes that a fault ends. */
  const doomed = new Set<number>();
  let isClosing = false;
  const env = {
    DATABASE_URL: postgres.url,
    SECRET_KEY: KEY,
    SMTP_URL: smtp.url,
    DATA_DIR: disk.folder,
    DEMO: '0',
    LOG_FORMAT: 'json',
  };

  /** Starts a server again whenever it ends, as systemd does. */
  async function superviseServer(): Promise<Server> {
    const port = String(await freePort());
    const earlier: string[] = [];
    const start = () => sandbox.launch({ env: { ...env, PORT: port } });
    let started = start();
    const server: Server = {
      url: `http://127.0.0.1:${port}`,
      pid: started.pid,
      output: () => [...earlier, started.output()].join('\n'),
    };
    const restart = async () => {
      while (!isClosing) {
        const { code, signal, output } = await started.exited;
        if (isClosing) return;
        if (!doomed.has(started.pid))
          surprises.push(`a server ended with ${code ?? signal}: ${output.slice(-2000)}`);
        else if (code !== 0 && signal !== 'SIGKILL')
          surprises.push(`a stopped server ended with ${code ?? signal}: ${output.slice(-2000)}`);
        earlier.push(output);
        // As systemd does, so that a server that cannot start does not keep the processor busy.
        await sleep(POLL_MS);
        started = start();
        server.pid = started.pid;
      }
    };
    void restart();
    return server;
  }

  const servers = [await superviseServer(), await superviseServer()];
  resources.defer(() => {
    isClosing = true;
  });

  /**
   * Makes the fault, and ends it.
   * @returns false if there was nothing to hit
   */
  async function hit(
    { kind, server: nth, milliseconds }: Fault,
    deletePictures: () => Promise<void>,
  ): Promise<boolean> {
    const server = servers[nth];
    if (!server) return false;
    const { pid } = server;
    switch (kind) {
      case 'kill a server':
        doomed.add(pid);
        process.kill(pid, 'SIGKILL');
        return true;
      case 'stop a server':
        doomed.add(pid);
        process.kill(pid, 'SIGTERM');
        await vi.waitUntil(() => server.pid !== pid, { timeout: RECOVERY_MS, interval: POLL_MS });
        return true;
      case 'freeze a server':
        return freeze([pid], milliseconds);
      case 'kill PostgreSQL':
        process.kill(await findPostmaster(), 'SIGKILL');
        return true;
      case 'kill a connection of PostgreSQL': {
        const [backend] = await listChildren(await findPostmaster(), /linework \d/);
        if (backend !== undefined) process.kill(backend, 'SIGKILL');
        return backend !== undefined;
      }
      case 'freeze PostgreSQL': {
        const postmaster = await findPostmaster();
        return freeze([postmaster, ...(await listChildren(postmaster))], milliseconds);
      }
      case 'fill the disk':
        return disk.fillFor(milliseconds);
      case 'stop the mail server':
        await smtp.stop();
        await sleep(milliseconds);
        await smtp.start();
        return true;
      case 'take the file descriptors of a server': {
        const isTaken = await setDescriptorLimit(pid, '3');
        await sleep(milliseconds);
        // A server that was started meanwhile has its own limit.
        return (await setDescriptorLimit(pid, HIGH_LIMIT)) && isTaken;
      }
      case 'delete pictures':
        await deletePictures();
        return true;
    }
  }

  /** Waits while PostgreSQL starts again. */
  async function findPostmaster(): Promise<number> {
    const pid = await vi.waitUntil(() => sandbox.postmaster(), {
      timeout: RECOVERY_MS,
      interval: POLL_MS,
    });
    if (pid === undefined) throw new Error('PostgreSQL does not run');
    return pid;
  }

  /** Waits until both servers are ready. Returns the milliseconds. */
  async function recover(): Promise<number> {
    const startedAt = performance.now();
    // Until then, an answer may be from before the fault.
    await sleep(READINESS_AGE_MS);
    await findPostmaster();
    for (const { url } of servers)
      await vi.waitUntil(
        () =>
          fetch(`${url}/readyz`).then(
            ({ ok }) => ok,
            () => false,
          ),
        { timeout: RECOVERY_MS, interval: POLL_MS },
      );
    return performance.now() - startedAt;
  }

  return {
    servers,
    databaseUrl: postgres.url,
    smtp,
    /** The ends of processes that no fault explains. */
    surprises,
    /** Whether the disk is small, so that it can be filled; only root can make one. */
    isDiskSmall: disk.isSmall,
    hit,
    /** The lines of both servers' logs. */
    readLog: () => servers.flatMap(({ output }) => parseLog(output())),
    recover,
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

/** A small disk of its own for root, otherwise a folder. */
async function openDisk(resources: AsyncDisposableStack) {
  const folder = await mkdtemp(join(tmpdir(), 'linework-disk-'));
  resources.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  const size = `size=${DISK_MEGABYTES}m`;
  const isSmall = await run('mount', ['-t', 'tmpfs', '-o', size, 'tmpfs', folder]).then(
    () => true,
    () => false,
  );
  if (isSmall) resources.defer(async () => void (await run('umount', ['--lazy', folder])));
  await chmod(folder, 0o755);
  const ballast = join(folder, 'ballast');
  return {
    folder,
    isSmall,
    async fillFor(milliseconds: number): Promise<boolean> {
      if (!isSmall) return false;
      await mkdir(ballast, { recursive: true });
      // Ever smaller files, until not even one byte fits.
      for (let size = 1024 * 1024, nth = 0; size >= 1; nth += 1)
        try {
          await writeFile(join(ballast, String(nth)), Buffer.alloc(size));
        } catch {
          size = Math.floor(size / 16);
        }
      await sleep(milliseconds);
      await rm(ballast, { recursive: true, force: true });
      return true;
    },
  };
}

/** Lines of other programs, such as npm, are left out. */
function parseLog(output: string): LogLine[] {
  return output
    .split('\n')
    .filter((line) => line.startsWith('{') && line.endsWith('}'))
    .map((line) => LogLine.parse(JSON.parse(line)));
}

async function freeze(pids: readonly number[], milliseconds: number): Promise<boolean> {
  const sendAll = (signal: NodeJS.Signals) => {
    for (const pid of pids)
      try {
        process.kill(pid, signal);
      } catch {
        // A connection that has ended meanwhile.
      }
  };
  sendAll('SIGSTOP');
  await sleep(milliseconds);
  sendAll('SIGCONT');
  return true;
}

/** @param named what the title of the process contains */
async function listChildren(parent: number, named = /./): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const children = await Promise.all(
    pids.map(async (pid) => {
      const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
      const title = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
      return stat.split(') ')[1]?.split(' ')[1] === String(parent) && named.test(title)
        ? [pid]
        : [];
    }),
  );
  return children.flat();
}

/** @returns false if the process has ended */
function setDescriptorLimit(pid: number, limit: string): Promise<boolean> {
  return run('prlimit', [`--pid=${pid}`, `--nofile=${limit}:${HIGH_LIMIT}`]).then(
    () => true,
    () => false,
  );
}
