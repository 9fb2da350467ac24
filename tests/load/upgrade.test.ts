import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, readlink, realpath, rm, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { freePort } from '#support/free_port.ts';
import { isAlive, openDemo } from '#support/sandbox.ts';
import { type Machine, openMachine } from './machine.ts';
import { copyProgram, PROGRAM } from './program_copy.ts';

const run = promisify(execFile);
const PROJECT = resolve(import.meta.dirname, '../..');
const UPGRADE_MS = 300_000;

/** The commands of docs/deploy.md, in the folders of a machine. */
async function readGuide({ folder }: Machine): Promise<string> {
  const guide = await readFile(join(PROJECT, 'docs/deploy.md'), 'utf8');
  const [, block = ''] = /^## Upgrades$.*?^```sh\n(.*?)^```/ms.exec(guide) ?? [];
  expect(block).toContain('systemctl restart linework');
  return block
    .replaceAll('/opt/linework', join(folder, 'opt'))
    .replace(/^repository=\S+/m, `repository='file://${join(folder, 'repository')}'`);
}

async function addCommands(machine: Machine): Promise<void> {
  const { folder } = machine;
  // Instead of installing packages, link those of the project.
  await machine.addCommand(
    'npm',
    `[ "$*" = 'run build' ] && exec node scripts/build.ts
    [ ! -e '${folder}/npm-fails' ] && [ "$1" = ci ] && ln -s '${join(PROJECT, 'node_modules')}' node_modules`,
  );
  const unit = await readFile(join(PROJECT, 'deploy/systemd/linework.service'), 'utf8');
  expect(unit).toContain('WorkingDirectory=/opt/linework/current');
  const [, program = ''] = /^ExecStart=\/usr\/bin\/node (.*)$/m.exec(unit) ?? [];
  // Restarts the server like systemd with deploy/systemd/linework.service.
  await machine.addCommand(
    'systemctl',
    `if [ -e '${folder}/pid' ]; then
      kill -TERM "$(cat '${folder}/pid')"
      while grep -q ') [^Z] ' "/proc/$(cat '${folder}/pid')/stat" 2> /dev/null; do sleep 0.05; done
    fi
    cd '${folder}/opt/current'
    ${machine.startServer('PORT="$LINEWORK_PORT"', program)}`,
  );
}

/** Waits until the running server logs its URL. */
async function waitUntilReady(machine: Machine): Promise<URL> {
  for (;;) {
    const log = await machine.readLog();
    const [, url] = /ready at (http:\S+)/.exec(log) ?? [];
    if (url !== undefined) return new URL(url);
    if (!(await isAlive(await machine.readPid()))) throw new Error(`The server exited:\n${log}`);
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
    await using sandbox = await openDemo();
    await using machine = await openMachine();
    const [repository, opt] = [join(machine.folder, 'repository'), join(machine.folder, 'opt')];
    await mkdir(join(opt, 'releases'), { recursive: true });
    await addCommands(machine);
    const commands = await readGuide(machine);
    const port = await freePort();
    const upgrade = () =>
      run('sh', ['-c', commands], {
        env: {
          PATH: `${join(machine.folder, 'bin')}:${join(PROJECT, 'node_modules/.bin')}:${process.env['PATH']}`,
          HOME: process.env['HOME'] ?? '',
          DATA_DIR: sandbox.dataDir,
          DEMO: '1',
          LINEWORK_PORT: String(port),
        },
      });
    const git = (...args: string[]) => {
      const identity = ['-c', 'user.name=Tests', '-c', 'user.email=tests@example.com'];
      return run('git', [...identity, ...args], { cwd: repository });
    };
    const commit = async (message: string) => {
      await git('add', '--', ...PROGRAM);
      await git('commit', '--quiet', `--message=${message}`);
    };
    await copyProgram(repository, { built: false });
    await git('init', '--quiet', '--initial-branch=main');
    await commit('The first version');

    await upgrade();
    const { origin: url } = await waitUntilReady(machine);
    const previous = await realpath(join(opt, 'current'));
    const cached = await (await fetch(`${url}/ana/scheduling`)).text();
    expect(filesOf(cached).length).toBeGreaterThan(2);

    const style = join(repository, 'src/styles/artist.css');
    await writeFile(style, `${await readFile(style, 'utf8')}\n.second-version { color: red; }\n`);
    await commit('The second version');
    const failure = join(machine.folder, 'npm-fails');
    await writeFile(failure, '');
    await expect(upgrade()).rejects.toThrow();
    expect(await realpath(join(opt, 'current'))).toBe(previous);
    await rm(failure);
    for (const name of await readdir(join(opt, 'releases')))
      if (name !== basename(previous)) await rm(join(opt, 'releases', name), { recursive: true });

    const failures: unknown[] = [];
    const cancellation = new AbortController();
    const polling = (async () => {
      while (!cancellation.signal.aborted) {
        const response = await fetch(`${url}/ana/about`).catch(String);
        const isOk = typeof response !== 'string' && response.ok;
        // After the link is switched, the restart may happen at any moment.
        if (!isOk && (await readlink(join(opt, 'current'))) === previous) failures.push(response);
        await sleep(20);
      }
    })();
    await upgrade();
    cancellation.abort();
    await polling;
    await waitUntilReady(machine);
    expect(failures.slice(0, 3)).toEqual([]);
    expect(await readdir(join(opt, 'releases'))).toHaveLength(2);

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
