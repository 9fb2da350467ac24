import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { CurrentArtist } from '#contract/artist.ts';
import {
  type ExitResult,
  isAlive,
  openSandbox,
  queryDatabase,
  type RunningServer,
  type Sandbox,
  waitUntilExited,
  waitUntilGroupExited,
} from '#support/sandbox.ts';
import { call, createBookingInputs, fetchConfirmation, logIn } from './bookings.ts';
import { findListenAddresses } from './listen_addresses.ts';
import { copyProgram } from './program_copy.ts';
import { openSocket, startLogin } from './sockets.ts';

const KEY = 'a key for a server on a database';
/** Far below the ten seconds after which a stop closes connections by force. */
const PROMPT_MS = 4_000;
/** For tests that share a data directory, which only one server can use at a time. */
const sequential = { concurrent: false };

describe.concurrent('a running server', () => {
  let sandbox: Sandbox;
  let server: RunningServer;
  beforeAll(async () => {
    sandbox = await openSandbox();
    server = await sandbox.serve();
  });
  afterAll(() => sandbox[Symbol.asyncDispose]());

  test('logs its URLs and the demo login, and they all work', sequential, async () => {
    await server.waitForOutput(/ana@example\.com, .* password: tattoo-demo/);
    const urls = server.output().match(/http:\S+/g) ?? [];
    expect(urls).toHaveLength(5);
    const responses = await Promise.all(urls.map((url) => fetch(url)));
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(await logIn(server, 'ana')).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
  });

  test('listens only on the loopback address, and so does its database', sequential, async () => {
    const databasePort = Number(new URL(await sandbox.databaseUrl()).port);
    expect(await findListenAddresses(server.port)).toEqual(['0100007F']);
    expect(await findListenAddresses(databasePort)).toEqual(['0100007F']);
  });

  test('creates its secret key readable only by its own user', sequential, async () => {
    expect((await stat(join(sandbox.dataDir, 'secret-key'))).mode & 0o777).toBe(0o600);
  });

  test(
    'makes a second start on its data directory fail with its path, and keeps serving',
    sequential,
    async () => {
      const second = await sandbox.launch().exited;
      expectFailure(second, [sandbox.dataDir, 'already']);
      expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
    },
  );

  test(
    'makes a second server on its port fail with a message and stop its own database',
    sequential,
    async () => {
      await using otherSandbox = await openSandbox();
      const next = await otherSandbox.launch({ env: { PORT: String(server.port), DEMO: '0' } })
        .exited;
      expectFailure(next, [`Port ${server.port}`, 'PORT']);
      expect(existsSync(join(otherSandbox.dataDir, 'postgres/cluster/postmaster.pid'))).toBe(false);
      expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
    },
  );

  test(
    'with DATABASE_URL it starts no bundled database, creates no demo, and leaves that database running',
    sequential,
    async () => {
      await using otherSandbox = await openSandbox();
      const url = await sandbox.databaseUrl();
      await queryDatabase(url, 'CREATE DATABASE another');
      const DATABASE_URL = url.replace(/linework$/, 'another');
      const other = await otherSandbox.serve({ env: { DATABASE_URL, SECRET_KEY: KEY } });
      expect((await fetch(`${other.url}/readyz`)).status).toBe(200);
      expect((await call(other, 'GET /users/artist/ana')).status).toBe(404);
      expect(other.output()).not.toContain('tattoo-demo');
      expect(existsSync(join(otherSandbox.dataDir, 'postgres'))).toBe(false);
      expect(existsSync(join(otherSandbox.dataDir, 'secret-key'))).toBe(false);
      expect(await other.stop()).toMatchObject({ code: 0 });
      expect(await queryDatabase(DATABASE_URL, 'SELECT count(*)::int FROM artists')).toEqual([[0]]);
    },
  );

  test(
    'fails with a message that does not contain the wrong password of DATABASE_URL',
    sequential,
    async () => {
      await using otherSandbox = await openSandbox();
      const url = new URL(await sandbox.databaseUrl());
      url.password = 'wrong-and-secret';
      const env = { DATABASE_URL: url.href, SECRET_KEY: KEY };
      const refused = await otherSandbox.launch({ env }).exited;
      expectFailure(refused, ['DATABASE_URL', 'password']);
      expect(refused.output).not.toContain('wrong-and-secret');
    },
  );
});

describe.concurrent('stopping', () => {
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await openSandbox();
  });
  afterAll(() => sandbox[Symbol.asyncDispose]());

  test(
    'finishes a request in flight, refuses new connections, and ignores further signals',
    sequential,
    async () => {
      const server = await sandbox.serve();
      const database = Number(await sandbox.postmaster());
      const [booking] = await createBookingInputs(server);
      const body = booking?.body ?? '';
      const socket = await openSocket(server);
      const half = Math.floor(body.length / 2);
      const continued = once(socket, 'data');
      socket.write(
        `POST /api/v1/appointments/request/service?username=ana HTTP/1.1\r\nHost: linework.test\r\n` +
          `Content-Type: application/json\r\nContent-Length: ${body.length}\r\nExpect: 100-continue\r\n\r\n`,
      );
      // The server has started to handle the request.
      expect(String((await continued)[0])).toMatch(/^HTTP\/1\.1 100/);
      socket.write(body.slice(0, half));

      server.process.kill('SIGTERM');
      await server.waitForOutput(/Stopping/);
      for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) server.process.kill(signal);
      await vi.waitFor(() => expect(openSocket(server)).rejects.toThrow('ECONNREFUSED'));
      expect(server.process.exitCode).toBeNull();
      socket.write(body.slice(half));
      const response = await text(socket);

      expect(response).toMatch(/^HTTP\/1\.1 201/);
      expect(response).toMatch(/^connection: close/im);
      const { id }: { id: string } = JSON.parse(response.slice(response.indexOf('\r\n\r\n') + 4));
      expect(await server.exited).toMatchObject({ code: 0, signal: null });
      expect(await isAlive(database)).toBe(false);

      const again = await sandbox.serve();
      expect((await fetchConfirmation(again, id)).body.status).toBe('held');
      await again.stop();
    },
  );

  test(
    'is not delayed by idle connections or by connections without a request',
    sequential,
    async () => {
      const server = await sandbox.serve();
      const idle = await openSocket(server);
      const answered = once(idle, 'data');
      idle.write('GET /healthz HTTP/1.1\r\nHost: linework.test\r\n\r\n');
      await answered;
      const silent = await openSocket(server);
      // After this response the server has accepted the silent connection too.
      await fetch(`${server.url}/healthz`);
      const startedAt = Date.now();
      expect(await server.stop()).toMatchObject({ code: 0 });
      expect(Date.now() - startedAt).toBeLessThan(PROMPT_MS);
      for (const socket of [idle, silent]) socket.destroy();
    },
  );

  test(
    'during a start leaves no running database, and the next start works',
    sequential,
    async () => {
      await using otherSandbox = await openSandbox();
      const starting = otherSandbox.launch({ env: { DEMO: '0' } });
      await starting.waitForOutput(/Creating a database/);
      starting.process.kill('SIGTERM');
      const { code, output } = await starting.exited;
      expect(code).toBe(0);
      expect(output).not.toContain('ready at');
      expect(await otherSandbox.postmaster()).toBeUndefined();
      const server = await otherSandbox.serve({ env: { DEMO: '0' } });
      expect(await server.stop()).toMatchObject({ code: 0 });
    },
  );

  test('stops the database also when the terminal has closed', sequential, async () => {
    const server = await sandbox.serve();
    const database = Number(await sandbox.postmaster());
    server.process.stdout?.destroy();
    server.process.stderr?.destroy();
    server.process.kill('SIGHUP');
    expect(await server.exited).toMatchObject({ code: 0, signal: null });
    expect(await isAlive(database)).toBe(false);
  });
});

describe.concurrent('npm start', () => {
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await openSandbox();
  });
  afterAll(() => sandbox[Symbol.asyncDispose]());

  test('Ctrl-C lets a request finish and stops the database last', sequential, async () => {
    const server = await sandbox.serve({ npmArgs: ['start'] });
    const database = Number(await sandbox.postmaster());
    const { socket, finish } = await startLogin(server);
    process.kill(-server.pid, 'SIGINT');
    await server.waitForOutput(/Stopping \(SIGINT\)/);
    process.kill(-server.pid, 'SIGINT');
    expect(await isAlive(database)).toBe(true);
    finish();
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 200.*access_token/s);
    await waitUntilGroupExited(server.pid);
    await waitUntilExited(database);
    expect(server.output()).toMatch(/INFO: Stopped$/m);
  });

  test('the server and its database end when npm is killed', sequential, async () => {
    const server = await sandbox.serve({ npmArgs: ['start'] });
    const database = Number(await sandbox.postmaster());
    server.process.kill('SIGKILL');
    await waitUntilGroupExited(server.pid);
    expect(server.output()).toMatch(/npm is gone.*INFO: Stopped$/ms);
    expect(await isAlive(database)).toBe(false);
  });

  test('builds nothing when nothing has changed', sequential, async () => {
    const server = await sandbox.serve({ npmArgs: ['start'] });
    expect(server.output()).not.toContain('Building');
    process.kill(-server.pid, 'SIGTERM');
    await waitUntilGroupExited(server.pid);
  });
});

describe.concurrent('a restart', () => {
  test('accepts old tokens and does not overwrite changed demo data', async () => {
    await using sandbox = await openSandbox();
    const first = await sandbox.serve();
    const token = await logIn(first, 'ana');
    const json = { about_me: 'Now with a cat.' };
    expect((await call(first, 'PATCH /users/me', { token, json })).status).toBe(200);
    await first.stop();

    const second = await sandbox.serve();
    const { status, body } = await call<CurrentArtist>(second, 'GET /users/me', { token });
    expect(status).toBe(200);
    expect(body.about_me).toBe('Now with a cat.');
    const artists = 'SELECT username FROM artists ORDER BY username';
    expect(await queryDatabase(await sandbox.databaseUrl(), artists)).toEqual([
      ['ana'],
      ['bo'],
      ['cleo'],
    ]);
  });

  test('creates no demo with DEMO=0, nor on a public HOST without DEMO=1', async () => {
    await using sandbox = await openSandbox();
    for (const [env, status] of [
      [{ DEMO: '0' }, 404],
      [{ HOST: '0.0.0.0' }, 404],
      [{ HOST: '0.0.0.0', DEMO: '1' }, 200],
    ] as const) {
      const server = await sandbox.serve({ env });
      const url = `http://127.0.0.1:${server.port}`;
      expect((await call({ url }, 'GET /users/artist/ana')).status).toBe(status);
      expect(server.output().includes('tattoo-demo')).toBe(status === 200);
      await server.stop();
    }
  });
});

describe.concurrent('a start that fails logs the reason without a stack trace and exits with code 1', () => {
  test('several invalid settings are all named', async () => {
    await using sandbox = await openSandbox();
    const refused = await sandbox.launch({
      env: {
        PORT: '70000',
        SITE_URL: 'linework.example',
        HOLD_MINUTES: 'soon',
        DEMO: 'yes',
        RATE_LIMIT: 'none',
        DATABASE_URL: 'mysql://localhost/linework',
        SECRET_KEY: 'short',
        FIRST_SUPERUSER_EMAIL: 'root@example.com',
      },
    }).exited;
    expectFailure(refused, [
      'PORT must be a whole number from 0 to 65535',
      'SITE_URL must be',
      'HOLD_MINUTES must be',
      'DEMO must be 0 or 1',
      'RATE_LIMIT must be on or off',
      'DATABASE_URL must be',
      'SECRET_KEY must be',
      'FIRST_SUPERUSER_PASSWORD',
    ]);
    expect(refused.output).not.toContain('short');
    expect(existsSync(sandbox.dataDir)).toBe(false);
  });

  test('a missing SECRET_KEY with DATABASE_URL, together with another invalid setting', async () => {
    await using sandbox = await openSandbox();
    const env = { DATABASE_URL: 'postgres://127.0.0.1/linework', DEMO: 'yes' };
    expectFailure(await sandbox.launch({ env }).exited, ['SECRET_KEY', 'DEMO']);
  });

  test('a DATABASE_URL where nothing listens', async () => {
    await using sandbox = await openSandbox();
    const env = { DATABASE_URL: 'postgres://me:hushhush@127.0.0.1:1/linework', SECRET_KEY: KEY };
    const refused = await sandbox.launch({ env }).exited;
    expectFailure(refused, ['DATABASE_URL', 'ECONNREFUSED']);
    expect(refused.output).not.toContain('hushhush');
  });

  test('npm run migrate with a DATABASE_URL where nothing listens', async () => {
    await using sandbox = await openSandbox();
    const env = { DATABASE_URL: 'postgres://me:hushhush@127.0.0.1:1/linework' };
    const migration = sandbox.launch({ npmArgs: ['run', '--silent', 'migrate'], env });
    await migration.waitForOutput(/DATABASE_URL was not migrated: .*ECONNREFUSED/);
    const refused = await migration.exited;
    expectFailure(refused, []);
    expect(refused.output).not.toContain('hushhush');
  });

  test('a HOST that is not an address of this machine', async () => {
    await using sandbox = await openSandbox();
    expectFailure(await sandbox.launch({ env: { HOST: '192.0.2.7', DEMO: '0' } }).exited, [
      '192.0.2.7',
      'HOST',
    ]);
    expect(await sandbox.postmaster()).toBeUndefined();
  });

  test('a data directory that is a file', async () => {
    await using sandbox = await openSandbox();
    await writeFile(sandbox.dataDir, 'in the way');
    expectFailure(await sandbox.launch().exited, [sandbox.dataDir]);
  });

  test('a missing build of the site', async () => {
    await using sandbox = await openSandbox();
    const program = await copyProgram(join(dirname(sandbox.dataDir), 'program'), { built: false });
    expectFailure(await sandbox.launch({ programFolder: program }).exited, ['npm run build']);
    expect(existsSync(sandbox.dataDir)).toBe(false);
  });
});

/** Exit code 1, with these texts in the output and no stack trace. */
function expectFailure({ code, output }: ExitResult, words: readonly string[]): void {
  for (const word of words) expect(output).toContain(word);
  expect(output).not.toMatch(/^\s+at /m);
  expect(code).toBe(1);
}
