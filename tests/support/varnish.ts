import { execFile } from 'node:child_process';
import { cp, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, vi } from 'vitest';
import { openDaemonFolder, startDaemon } from './daemon.ts';

const VCL_FOLDER = resolve(import.meta.dirname, '../../deploy/varnish');
const HEALTHY_MS = 30_000;

/** Starts a Varnish with our VCL, in front of local servers. Open it with `await using`. */
export async function openVarnish(ports: readonly number[]) {
  const folder = await openDaemonFolder('varnish');
  const vclFile = join(folder, 'default.vcl');
  await cp(join(VCL_FOLDER, 'default.vcl'), vclFile);
  await writeFile(join(folder, 'backends.vcl'), backendsVcl(ports));
  const workFolder = join(folder, 'work');
  const options = ['-j', 'none', '-F', '-n', workFolder, '-a', '127.0.0.1:0', '-f', vclFile];
  const control = async (...args: string[]) =>
    (await promisify(execFile)('varnishadm', ['-n', workFolder, ...args])).stdout;
  let port = '';
  const stop = await startDaemon('varnishd', [...options, '-s', 'malloc,64m'], folder, async () => {
    const addresses = await control('debug.listen_address').catch(() => '');
    port = /^a0 \S+ (\d+)/m.exec(addresses)?.[1] ?? '';
    return port !== '';
  });
  return {
    url: `http://127.0.0.1:${port}`,
    /** Replaces the backends. */
    async setBackends(nextPorts: readonly number[]) {
      await writeFile(join(folder, 'backends.vcl'), backendsVcl(nextPorts));
      await control('vcl.load', 'next', vclFile);
      await control('vcl.use', 'next');
      await control('vcl.discard', 'boot');
    },
    /** The number of cache hits so far. */
    async countHits() {
      const args = ['-n', workFolder, '-1', '-f', 'MAIN.cache_hit'];
      const { stdout } = await promisify(execFile)('varnishstat', args);
      return Number(/^MAIN\.cache_hit\s+(\d+)/m.exec(stdout)?.[1]);
    },
    /** The output of `ban.list`. */
    listBans: () => control('ban.list'),
    /** Waits until so many backends are healthy. */
    async waitForHealthy(count: number) {
      await vi.waitFor(
        async () => {
          const backends = (await control('backend.list')).match(/^\w+\.server\d.*/gm) ?? [];
          expect(backends.filter((line) => line.includes(' healthy '))).toHaveLength(count);
        },
        { timeout: HEALTHY_MS, interval: 50 },
      );
    },
    [Symbol.asyncDispose]: stop,
  };
}

/** Like deploy/varnish/backends.vcl, for these ports. */
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
