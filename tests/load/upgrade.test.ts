import { execFile } from 'node:child_process';
import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  realpath,
  rm,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '#support/free_port.ts';
import { isAlive, openDemo, type Sandbox, waitUntilExited } from '#support/sandbox.ts';
import { copyProgram, PROGRAM } from './program_copy.ts';

const run = promisify(execFile);
const PROJECT = resolve(import.meta.dirname, '../..');
const UPGRADE_MS = 300_000;

let sandbox: Sandbox;
/** A stand-in for the machine: `/opt/linework`, a repository and fake commands. */
let machine: string;
let commands: string;
beforeAll(async () => {
  sandbox = await openDemo();
  machine = await realpath(await mkdtemp(join(tmpdir(), 'linework-machine-')));
  await chmod(machine, 0o755);
  await mkdir(join(machine, 'opt/releases'), { recursive: true });
  await mkdir(join(machine, 'bin'));
  const guide = await readFile(join(PROJECT, 'docs/deploy.md'), 'utf8');
  const [, block = ''] = /^## Upgrades$.*?^```sh\n(.*?)^```/ms.exec(guide) ?? [];
  const unit = await readFile(join(PROJECT, 'deploy/systemd/linework.service'), 'utf8');
  const [, program = ''] = /^ExecStart=\/usr\/bin\/node (.*)$/m.exec(unit) ?? [];
  expect(block).toContain('systemctl restart linework');
  expect(unit).toContain('WorkingDirectory=/opt/linework/current');
  commands = block
    .replaceAll('/opt/linework', join(machine, 'opt'))
    .replace(/^repository=\S+/m, `repository='file://${join(machine, 'repository')}'`);
  await copyProgram(join(machine, 'repository'), { built: false });
  await git('init', '--quiet', '--initial-branch=main');
  await commit('The first version');
  // Instead of installing packages, link those of the project.
  await addCommand(
    'npm',
    `[ "$*" = 'run build' ] && exec node scripts/build.ts
    [ ! -e '${machine}/npm-fails' ] && [ "$1" = ci ] && ln -s '${join(PROJECT, 'node_modules')}' node_modules`,
  );
  // Restarts the server like systemd with deploy/systemd/linework.service.
  await addCommand(
    'systemctl',
    `if [ -e '${machine}/pid' ]; then
      kill -TERM "$(cat '${machine}/pid')"
      while grep -q ') [^Z] ' "/proc/$(cat '${machine}/pid')/stat" 2> /dev/null; do sleep 0.05; done
    fi
    cd '${machine}/opt/current'
    PORT="$LINEWORK_PORT" setsid node_modules/.bin/node ${program} > '${machine}/log' 2>&1 < /dev/null &
    echo $! > '${machine}/pid'`,
  );
}, UPGRADE_MS);
afterAll(async () => {
  const pid = Number(await readFile(join(machine, 'pid'), 'utf8').catch(() => '0'));
  if (pid > 0) {
    process.kill(pid, 'SIGTERM');
    await waitUntilExited(pid);
  }
  await sandbox[Symbol.asyncDispose]();
  await rm(machine, { recursive: true, force: true });
});

async function git(...args: string[]): Promise<void> {
  const identity = ['-c', 'user.name=Tests', '-c', 'user.email=tests@example.com'];
  await run('git', [...identity, ...args], { cwd: join(machine, 'repository') });
}

async function commit(message: string): Promise<void> {
  await git('add', '--', ...PROGRAM);
  await git('commit', '--quiet', `--message=${message}`);
}

async function addCommand(name: string, script: string): Promise<void> {
  await writeFile(join(machine, 'bin', name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
}

/** Runs the commands of the guide. */
async function upgrade(port: number): Promise<void> {
  const node = join(PROJECT, 'node_modules/.bin');
  await run('sh', ['-c', commands], {
    env: {
      PATH: `${join(machine, 'bin')}:${node}:${process.env['PATH']}`,
      HOME: process.env['HOME'] ?? '',
      DATA_DIR: sandbox.dataDir,
      DEMO: '1',
      LINEWORK_PORT: String(port),
    },
  });
}

/** Waits until the running server logs its URL. */
async function waitUntilReady(): Promise<URL> {
  for (;;) {
    const log = await readFile(join(machine, 'log'), 'utf8').catch(() => '');
    const [, url] = /ready at (http:\S+)/.exec(log) ?? [];
    if (url !== undefined) return new URL(url);
    const pid = Number(await readFile(join(machine, 'pid'), 'utf8'));
    if (!(await isAlive(pid))) throw new Error(`The server exited:\n${log}`);
    await sleep(50);
  }
}

/** The built files that a page refers to. */
function filesOf(page: string): string[] {
  return [...new Set(page.match(/\/_astro\/[\w.-]+/g) ?? [])];
}

test(
  'the upgrade of docs/deploy.md fails no request before the restart, and files of cached pages still exist after it',
  async () => {
    const port = await freePort();
    await upgrade(port);
    const { origin: url } = await waitUntilReady();
    const previous = await realpath(join(machine, 'opt/current'));
    const cached = await (await fetch(`${url}/ana/scheduling`)).text();
    expect(filesOf(cached).length).toBeGreaterThan(2);

    const style = join(machine, 'repository/src/styles/artist.css');
    await writeFile(style, `${await readFile(style, 'utf8')}\n.second-version { color: red; }\n`);
    await commit('The second version');
    await writeFile(join(machine, 'npm-fails'), '');
    await expect(upgrade(port)).rejects.toThrow();
    expect(await realpath(join(machine, 'opt/current'))).toBe(previous);
    await rm(join(machine, 'npm-fails'));
    for (const name of await readdir(join(machine, 'opt/releases')))
      if (name !== basename(previous))
        await rm(join(machine, 'opt/releases', name), { recursive: true });

    const failures: unknown[] = [];
    const cancellation = new AbortController();
    const polling = (async () => {
      while (!cancellation.signal.aborted) {
        const response = await fetch(`${url}/ana/about`).catch(String);
        const isOk = typeof response !== 'string' && response.ok;
        // After the link is switched, the restart may happen at any moment.
        if (!isOk && (await readlink(join(machine, 'opt/current'))) === previous)
          failures.push(response);
        await sleep(20);
      }
    })();
    await upgrade(port);
    cancellation.abort();
    await polling;
    await waitUntilReady();
    expect(failures.slice(0, 3)).toEqual([]);
    expect(await readdir(join(machine, 'opt/releases'))).toHaveLength(2);

    const page = await (await fetch(`${url}/ana/scheduling`)).text();
    expect(filesOf(page)).not.toEqual(filesOf(cached));
    await rm(previous, { recursive: true });
    for (const path of [...filesOf(cached), ...filesOf(page)]) {
      const response = await fetch(url + path);
      expect([path, response.status]).toEqual([path, 200]);
    }
  },
  UPGRADE_MS,
);
