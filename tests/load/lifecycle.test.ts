import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, test, vi } from 'vitest';
import { openFolder } from '#support/folder.ts';
import { freePort, listenOn } from '#support/free_port.ts';
import {
  isAlive,
  openDemo,
  openSandbox,
  queryDatabase,
  type StartOptions,
  serveDemo,
  waitUntilGroupExited,
} from '#support/sandbox.ts';
import { logIn } from './bookings.ts';
import { findListenAddresses } from './listen_addresses.ts';
import { copyProgram } from './program_copy.ts';
import { openSocket, startLogin } from './sockets.ts';

const DATABASE_OF_NOBODY = {
  DATABASE_URL: 'postgres://me:hushhush@127.0.0.1:1/linework',
  SECRET_KEY: 'a key for a server on a database',
};

test('a first start creates the demo artists and a secret key for its own user, listens on the loopback address, and logs URLs that work', async () => {
  await using sandbox = await openSandbox();
  const server = await sandbox.serve();
  await server.waitForOutput(/ana@example\.com, .* password: tattoo-demo/);
  const urls = server.output().match(/http:\S+/g) ?? [];
  expect(urls).toHaveLength(5);
  const responses = await Promise.all(urls.map((url) => fetch(url)));
  expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  expect(await logIn(server, 'ana')).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
  expect((await stat(join(sandbox.dataDir, 'secret-key'))).mode & 0o777).toBe(0o600);
  expect(await findListenAddresses(server.port)).toEqual(['0100007F']);
});

describe('a running server', () => {
  const demo = serveDemo();

  test('with DATABASE_URL starts no bundled database, creates no demo, and leaves that database running', async () => {
    const { sandbox } = demo;
    const url = await sandbox.databaseUrl();
    await queryDatabase(url, 'CREATE DATABASE another');
    const beside = await sandbox.settingsBeside();
    const DATABASE_URL = url.replace(/linework$/, 'another');
    const other = await sandbox.serve({ env: { ...beside, DATABASE_URL } });
    expect((await fetch(`${other.url}/readyz`)).status).toBe(200);
    expect(other.output()).not.toContain('tattoo-demo');
    for (const name of ['postgres', 'secret-key'])
      expect(existsSync(join(beside.DATA_DIR, name))).toBe(false);
    expect(await other.stop()).toMatchObject({ code: 0 });
    expect(await queryDatabase(DATABASE_URL, 'SELECT count(*)::int FROM artists')).toEqual([[0]]);
  });

  // Last, because it stops the server.
  test('finishes a request in flight when it stops, refuses new connections, and ignores further signals', async () => {
    const { sandbox, server } = demo;
    const database = Number(await sandbox.postmaster());
    const { socket, finish } = await startLogin(server);
    server.process.kill('SIGTERM');
    await server.waitForOutput(/Stopping/);
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) server.process.kill(signal);
    await vi.waitFor(() => expect(openSocket(server)).rejects.toThrow('ECONNREFUSED'));
    expect(server.process.exitCode).toBeNull();
    finish();
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 200.*^connection: close.*access_token/ims);
    expect(await server.exited).toMatchObject({ code: 0, signal: null });
    expect(await isAlive(database)).toBe(false);
  });
});

test('a server stops its database also when the terminal has closed', async () => {
  await using sandbox = await openDemo();
  const server = await sandbox.serve();
  const database = Number(await sandbox.postmaster());
  server.process.stdout?.destroy();
  server.process.stderr?.destroy();
  server.process.kill('SIGHUP');
  expect(await server.exited).toMatchObject({ code: 0, signal: null });
  expect(await isAlive(database)).toBe(false);
});

test.each(['1', '2'])(
  'a first start with WORKERS=%s that is stopped leaves no process',
  async (WORKERS) => {
    await using sandbox = await openSandbox();
    const starting = sandbox.launch({ env: { WORKERS } });
    await starting.waitForOutput(/Creating a database/);
    starting.process.kill('SIGTERM');
    const { code, output } = await starting.exited;
    expect([code, output]).toEqual([0, expect.not.stringContaining('ready at')]);
    await waitUntilGroupExited(starting.pid);
    expect(await sandbox.postmaster()).toBeUndefined();
  },
);

test('with npm start, the workers and their database end when npm is killed', async () => {
  await using sandbox = await openDemo();
  const server = await sandbox.serve({ npmArgs: ['start'], env: { WORKERS: '2' } });
  const database = Number(await sandbox.postmaster());
  server.process.kill('SIGKILL');
  await waitUntilGroupExited(server.pid);
  expect(server.output()).toMatch(/npm is gone.*INFO: Stopped$/ms);
  expect(await isAlive(database)).toBe(false);
});

describe('a start that fails logs the reason once without a stack trace, exits with code 1 and leaves no process', () => {
  async function expectFailure(options: StartOptions, reasons: readonly string[]): Promise<void> {
    await using sandbox = await openDemo();
    const failing = sandbox.launch(options);
    await failing.waitForOutput(new RegExp(reasons[0] ?? ''));
    const { code, output } = await failing.exited;
    for (const reason of reasons) expect(output.split(reason)).toHaveLength(2);
    expect(output).not.toMatch(/^\s+at |ready at|hushhush/m);
    expect(code).toBe(1);
    await waitUntilGroupExited(failing.pid);
    expect(await sandbox.postmaster()).toBeUndefined();
  }

  test.each([
    ['PORT', '2'],
    ['METRICS_PORT', '1'],
  ])('if %s is taken, with WORKERS=%s', async (name, WORKERS) => {
    await using server = createServer();
    const port = await listenOn(server, await freePort());
    await expectFailure({ env: { WORKERS, [name]: String(port) } }, [
      `Port ${port} is taken on 127.0.0.1. Stop what listens there, or set ${name} to another one.`,
    ]);
  });

  test('if nothing listens at DATABASE_URL, with workers', async () => {
    await expectFailure({ env: { WORKERS: '2', ...DATABASE_OF_NOBODY } }, ['ECONNREFUSED']);
  });

  test('of npm run migrate, if nothing listens at DATABASE_URL', async () => {
    const npmArgs = ['run', '--silent', 'migrate'];
    const reasons = ['DATABASE_URL was not migrated: ', 'ECONNREFUSED'];
    await expectFailure({ npmArgs, env: DATABASE_OF_NOBODY }, reasons);
  });

  test('if the site is not built', async () => {
    const programFolder = join(await openFolder(), 'program');
    await copyProgram(programFolder, { built: false });
    await expectFailure({ programFolder }, ['npm run build']);
  });
});
