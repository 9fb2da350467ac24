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
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '#support/free_port.ts';
import { isAlive, openSandbox, type Sandbox, waitUntilExited } from '#support/sandbox.ts';
import { copyProgram, PROGRAM } from './program_copy.ts';

const run = promisify(execFile);
const PROJECT = resolve(import.meta.dirname, '../..');
const UPGRADE_MS = 300_000;

let place: Sandbox;
/** Stands for `/opt/linework`, with a repository and the commands of the machine beside it. */
let machine: string;
let commands: string;
beforeAll(async () => {
  place = await openSandbox();
  machine = await realpath(await mkdtemp(join(tmpdir(), 'linework-machine-')));
  await chmod(machine, 0o755);
  await mkdir(join(machine, 'opt/releases'), { recursive: true });
  await mkdir(join(machine, 'bin'));
  const guide = await readFile(join(PROJECT, 'docs/deploy.md'), 'utf8');
  const [, block = ''] = /^## Upgrades$.*?^```sh\n(.*?)^```/ms.exec(guide) ?? [];
  const [, program = ''] = /^ExecStart=\/usr\/bin\/node (.*)$/m.exec(guide) ?? [];
  expect(block).toContain('systemctl restart linework');
  expect(guide).toContain('WorkingDirectory=/opt/linework/current');
  commands = block
    .replaceAll('/opt/linework', join(machine, 'opt'))
    .replace(/^repository=\S+/m, `repository='file://${join(machine, 'repository')}'`);
  await copyProgram(join(machine, 'repository'), { built: false });
  await git('init', '--quiet', '--initial-branch=main');
  await commit('The first version');
  // The packages are the same for every release here, and come from the project itself.
  await command(
    'npm',
    `[ ! -e '${machine}/npm-fails' ] && [ "$1" = ci ] && ln -s '${join(PROJECT, 'node_modules')}' node_modules`,
  );
  // What the unit of docs/deploy.md has systemd do.
  await command(
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
  await place[Symbol.asyncDispose]();
  await rm(machine, { recursive: true, force: true });
});

async function git(...words: string[]): Promise<void> {
  const identity = ['-c', 'user.name=Tests', '-c', 'user.email=tests@example.com'];
  await run('git', [...identity, ...words], { cwd: join(machine, 'repository') });
}

async function commit(message: string): Promise<void> {
  await git('add', '--', ...PROGRAM);
  await git('commit', '--quiet', `--message=${message}`);
}

async function command(name: string, script: string): Promise<void> {
  await writeFile(join(machine, 'bin', name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
}

/** Runs the commands of the guide as they stand there. */
async function upgrade(port: number): Promise<void> {
  const node = join(PROJECT, 'node_modules/.bin');
  await run('sh', ['-c', commands], {
    env: {
      PATH: `${join(machine, 'bin')}:${node}:${process.env['PATH']}`,
      HOME: process.env['HOME'] ?? '',
      DATA_DIR: place.dataDir,
      DEMO: '1',
      LINEWORK_PORT: String(port),
    },
  });
}

/** Waits until the server that runs says where it is. */
async function untilReady(): Promise<URL> {
  for (;;) {
    const log = await readFile(join(machine, 'log'), 'utf8').catch(() => '');
    const [, url] = /ready at (http:\S+)/.exec(log) ?? [];
    if (url !== undefined) return new URL(url);
    const pid = Number(await readFile(join(machine, 'pid'), 'utf8'));
    if (!(await isAlive(pid))) throw new Error(`The server ended:\n${log}`);
    await pause(50);
  }
}

/** The built files that a page names. */
function filesOf(page: string): string[] {
  return [...new Set(page.match(/\/_astro\/[\w.-]+/g) ?? [])];
}

test(
  'the upgrade of docs/deploy.md disturbs nobody before the restart, and cached pages of before find their files after it',
  async () => {
    const port = await freePort();
    await upgrade(port);
    const { origin: url } = await untilReady();
    const before = await realpath(join(machine, 'opt/current'));
    const cached = await (await fetch(`${url}/ana/scheduling`)).text();
    expect(filesOf(cached).length).toBeGreaterThan(2);

    const style = join(machine, 'repository/src/styles/artist.css');
    await writeFile(style, `${await readFile(style, 'utf8')}\n.second-version { color: red; }\n`);
    await commit('The second version');
    await writeFile(join(machine, 'npm-fails'), '');
    await expect(upgrade(port)).rejects.toThrow();
    expect(await realpath(join(machine, 'opt/current'))).toBe(before);
    await rm(join(machine, 'npm-fails'));
    for (const name of await readdir(join(machine, 'opt/releases')))
      if (name !== basename(before))
        await rm(join(machine, 'opt/releases', name), { recursive: true });

    const failures: unknown[] = [];
    const watching = new AbortController();
    const watch = (async () => {
      while (!watching.signal.aborted) {
        const answer = await fetch(`${url}/ana/about`).catch(String);
        const isOk = typeof answer !== 'string' && answer.ok;
        // Once the link is switched, the restart may come at any moment.
        if (!isOk && (await readlink(join(machine, 'opt/current'))) === before)
          failures.push(answer);
        await pause(20);
      }
    })();
    await upgrade(port);
    watching.abort();
    await watch;
    await untilReady();
    expect(failures.slice(0, 3)).toEqual([]);
    expect(await readdir(join(machine, 'opt/releases'))).toHaveLength(2);

    const page = await (await fetch(`${url}/ana/scheduling`)).text();
    expect(filesOf(page)).not.toEqual(filesOf(cached));
    await rm(before, { recursive: true });
    for (const path of [...filesOf(cached), ...filesOf(page)]) {
      const answer = await fetch(url + path);
      expect([path, answer.status]).toEqual([path, 200]);
    }
  },
  UPGRADE_MS,
);
