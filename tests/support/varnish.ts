import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, vi } from 'vitest';

const VCL_FOLDER = resolve(import.meta.dirname, '../../deploy/varnish');
/** Its rules are compiled first. */
const START_MS = 30_000;

/** A Varnish with the rules that we ship, in front of some servers of this machine. */
export interface Varnish extends AsyncDisposable {
  readonly url: string;
  /** Stands in front of these servers from now on. */
  setBackends(ports: readonly number[]): Promise<void>;
  /** How many requests it answered with what it keeps. */
  countHits(): Promise<number>;
  /** What it was told to let go of and has not forgotten yet. */
  listBans(): Promise<string>;
  /** Waits until it takes so many of the servers for healthy. */
  waitForHealthy(count: number): Promise<void>;
}

/** Starts one; it ends with whoever uses it. */
export async function openVarnish(ports: readonly number[]): Promise<Varnish> {
  const folder = await mkdtemp(join(tmpdir(), 'linework-varnish-'));
  const rules = join(folder, 'default.vcl');
  await cp(join(VCL_FOLDER, 'default.vcl'), rules);
  await writeFile(join(folder, 'backends.vcl'), backendsVcl(ports));
  const work = join(folder, 'work');
  const options = ['-j', 'none', '-F', '-n', work, '-a', '127.0.0.1:0', '-f', rules];
  const child = spawn('varnishd', [...options, '-s', 'malloc,64m'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  let failure: Error | undefined;
  child.on('error', (error) => {
    failure = error;
  });
  const isOver = () => failure !== undefined || child.exitCode !== null;
  const control = async (...words: string[]) =>
    (await promisify(execFile)('varnishadm', ['-n', work, ...words])).stdout;
  const end = async () => {
    if (!isOver()) {
      child.kill('SIGTERM');
      await once(child, 'exit');
    }
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    const port = await vi.waitUntil(
      async () => {
        if (isOver()) return 'none';
        const listens = await control('debug.listen_address').catch(() => '');
        return /^a0 \S+ (\d+)/m.exec(listens)?.[1];
      },
      { timeout: START_MS, interval: 50 },
    );
    if (failure !== undefined || port === 'none')
      throw new Error(
        `varnishd does not run: ${failure?.message ?? output}\nOn Debian: apt-get install varnish`,
        { cause: failure },
      );
    return {
      url: `http://127.0.0.1:${port}`,
      async setBackends(others) {
        await writeFile(join(folder, 'backends.vcl'), backendsVcl(others));
        await control('vcl.load', 'next', rules);
        await control('vcl.use', 'next');
        await control('vcl.discard', 'boot');
      },
      async countHits() {
        const counted = ['-n', work, '-1', '-f', 'MAIN.cache_hit'];
        const { stdout } = await promisify(execFile)('varnishstat', counted);
        return Number(/^MAIN\.cache_hit\s+(\d+)/m.exec(stdout)?.[1]);
      },
      listBans: () => control('ban.list'),
      async waitForHealthy(count) {
        await vi.waitFor(
          async () => {
            const servers = (await control('backend.list')).match(/^\w+\.server\d.*/gm) ?? [];
            expect(servers.filter((line) => line.includes(' healthy '))).toHaveLength(count);
          },
          { timeout: START_MS, interval: 50 },
        );
      },
      [Symbol.asyncDispose]: end,
    };
  } catch (error) {
    await end();
    throw error;
  }
}

/** As deploy/varnish/backends.vcl, for these ports. */
function backendsVcl(ports: readonly number[]): string {
  const names = ports.map((_, nth) => `server${nth}`);
  return `
    probe ready { .url = "/readyz"; .interval = 0.2s; .timeout = 2s; .window = 2; .threshold = 1; }
    ${ports
      .map(
        (port, nth) =>
          `backend ${names[nth]} { .host = "127.0.0.1"; .port = "${port}"; .probe = ready; }`,
      )
      .join('\n')}
    sub vcl_init {
      new servers = directors.round_robin();
      ${names.map((name) => `servers.add_backend(${name});`).join('\n')}
    }
    acl servers_of_ours { "127.0.0.1"; }
  `;
}
