import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
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
import { call, logIn, read, wishes } from './bookings.ts';
import { copyProgram } from './program_copy.ts';

const KEY = 'a key for a server on a database';
/** Far below the ten seconds after which a stop loses its patience. */
const PROMPT_MS = 4_000;
/** Tests of one data directory, which has room for one server; other tests run meanwhile. */
const inTurn = { concurrent: false };

describe.concurrent('a server that runs', () => {
  let place: Sandbox;
  let server: RunningServer;
  beforeAll(async () => {
    place = await openSandbox();
    server = await place.serve();
  });
  afterAll(() => place[Symbol.asyncDispose]());

  test(
    'has told where it is and how to log in to the demo, and both are true',
    inTurn,
    async () => {
      await server.waitForOutput(/ana@example\.com, .* password: tattoo-demo/);
      const addresses = server.output().match(/http:\S+/g) ?? [];
      expect(addresses).toHaveLength(5);
      const answers = await Promise.all(addresses.map((address) => fetch(address)));
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
      expect(await logIn(server, 'ana')).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
    },
  );

  test('listens on the loopback address alone, and so does its database', inTurn, async () => {
    const databasePort = Number(new URL(await place.databaseUrl()).port);
    expect(await listeningOn(server.port)).toEqual(['0100007F']);
    expect(await listeningOn(databasePort)).toEqual(['0100007F']);
  });

  test('keeps its secret to its own user', inTurn, async () => {
    expect((await stat(join(place.dataDir, 'secret-key'))).mode & 0o777).toBe(0o600);
  });

  test('refuses a second start on its data directory, by name, and goes on', inTurn, async () => {
    const second = await place.launch().exited;
    expectWords(second, [place.dataDir, 'already']);
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
  });

  test(
    'keeps its port: the next one says so in a line and stops the database it had begun',
    inTurn,
    async () => {
      await using elsewhere = await openSandbox();
      const next = await elsewhere.launch({ env: { PORT: String(server.port), DEMO: '0' } }).exited;
      expectWords(next, [`Port ${server.port}`, 'PORT']);
      expect(existsSync(join(elsewhere.dataDir, 'postgres/cluster/postmaster.pid'))).toBe(false);
      expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
    },
  );

  test(
    'with DATABASE_URL nothing is bundled and no demo is made, and stopping leaves that database up',
    inTurn,
    async () => {
      await using elsewhere = await openSandbox();
      const url = await place.databaseUrl();
      await queryDatabase(url, 'CREATE DATABASE another');
      const DATABASE_URL = url.replace(/linework$/, 'another');
      const other = await elsewhere.serve({ env: { DATABASE_URL, SECRET_KEY: KEY } });
      expect((await fetch(`${other.url}/readyz`)).status).toBe(200);
      expect((await call(other, 'GET /users/artist/ana')).status).toBe(404);
      expect(other.output()).not.toContain('tattoo-demo');
      expect(existsSync(join(elsewhere.dataDir, 'postgres'))).toBe(false);
      expect(existsSync(join(elsewhere.dataDir, 'secret-key'))).toBe(false);
      expect(await other.stop()).toMatchObject({ code: 0 });
      expect(await queryDatabase(DATABASE_URL, 'SELECT count(*)::int FROM artists')).toEqual([[0]]);
    },
  );

  test(
    'a DATABASE_URL whose password is wrong is told in words that do not repeat it',
    inTurn,
    async () => {
      await using elsewhere = await openSandbox();
      const url = new URL(await place.databaseUrl());
      url.password = 'wrong-and-secret';
      const env = { DATABASE_URL: url.href, SECRET_KEY: KEY };
      const refused = await elsewhere.launch({ env }).exited;
      expectWords(refused, ['DATABASE_URL', 'password']);
      expect(refused.output).not.toContain('wrong-and-secret');
    },
  );
});

describe.concurrent('stopping', () => {
  let place: Sandbox;
  beforeAll(async () => {
    place = await openSandbox();
  });
  afterAll(() => place[Symbol.asyncDispose]());

  test(
    'a request in flight is answered in full, newcomers are refused, and more signals do no harm',
    inTurn,
    async () => {
      const server = await place.serve();
      const database = Number(await place.postmaster());
      const [wish] = await wishes(server);
      const body = wish?.body ?? '';
      const socket = await open(server);
      const half = Math.floor(body.length / 2);
      const continued = once(socket, 'data');
      socket.write(
        `POST /api/v1/appointments/request/service?username=ana HTTP/1.1\r\nHost: linework.test\r\n` +
          `Content-Type: application/json\r\nContent-Length: ${body.length}\r\nExpect: 100-continue\r\n\r\n`,
      );
      // Says that the server has begun with it.
      expect(String((await continued)[0])).toMatch(/^HTTP\/1\.1 100/);
      socket.write(body.slice(0, half));

      server.process.kill('SIGTERM');
      await server.waitForOutput(/Stopping/);
      for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) server.process.kill(signal);
      await vi.waitFor(() => expect(open(server)).rejects.toThrow('ECONNREFUSED'));
      expect(server.process.exitCode).toBeNull();
      socket.write(body.slice(half));
      const answer = await text(socket);

      expect(answer).toMatch(/^HTTP\/1\.1 201/);
      expect(answer).toMatch(/^connection: close/im);
      const { id }: { id: string } = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4));
      expect(await server.exited).toMatchObject({ code: 0, signal: null });
      expect(await isAlive(database)).toBe(false);

      const again = await place.serve();
      expect((await read(again, id)).body.status).toBe('held');
      await again.stop();
    },
  );

  test('connections that are idle, or that never spoke, do not delay it', inTurn, async () => {
    const server = await place.serve();
    const spoke = await open(server);
    const answered = once(spoke, 'data');
    spoke.write('GET /healthz HTTP/1.1\r\nHost: linework.test\r\n\r\n');
    await answered;
    const silent = await open(server);
    // Answered after the silent one was taken, so that it is the server's by now.
    await fetch(`${server.url}/healthz`);
    const began = Date.now();
    expect(await server.stop()).toMatchObject({ code: 0 });
    expect(Date.now() - began).toBeLessThan(PROMPT_MS);
    for (const socket of [spoke, silent]) socket.destroy();
  });

  test('a stop that comes while it is still starting leaves nothing behind', inTurn, async () => {
    await using elsewhere = await openSandbox();
    const starting = elsewhere.launch({ env: { DEMO: '0' } });
    await starting.waitForOutput(/Making a database/);
    starting.process.kill('SIGTERM');
    const { code, output } = await starting.exited;
    expect(code).toBe(0);
    expect(output).not.toContain('ready at');
    expect(await elsewhere.postmaster()).toBeUndefined();
    const server = await elsewhere.serve({ env: { DEMO: '0' } });
    expect(await server.stop()).toMatchObject({ code: 0 });
  });

  test('a terminal that is gone does not keep it from stopping the database', inTurn, async () => {
    const server = await place.serve();
    const database = Number(await place.postmaster());
    server.process.stdout?.destroy();
    server.process.stderr?.destroy();
    server.process.kill('SIGHUP');
    expect(await server.exited).toMatchObject({ code: 0, signal: null });
    expect(await isAlive(database)).toBe(false);
  });
});

describe.concurrent('npm start', () => {
  let place: Sandbox;
  beforeAll(async () => {
    place = await openSandbox();
  });
  afterAll(() => place[Symbol.asyncDispose]());

  test('Ctrl-C lets a request finish and stops the database last', inTurn, async () => {
    const server = await place.serve({ npmArgs: ['start'] });
    const database = Number(await place.postmaster());
    const { socket, finish } = await beginLogin(server);
    process.kill(-server.pid, 'SIGINT');
    await server.waitForOutput(/Stopping \(SIGINT\)/);
    process.kill(-server.pid, 'SIGINT');
    expect(await isAlive(database)).toBe(true);
    finish();
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 200.*access_token/s);
    await waitUntilGroupExited(server.pid);
    await waitUntilExited(database);
    expect(server.output()).toContain('Stopped.');
  });

  test('the server and its database end when npm is killed', inTurn, async () => {
    const server = await place.serve({ npmArgs: ['start'] });
    const database = Number(await place.postmaster());
    server.process.kill('SIGKILL');
    await waitUntilGroupExited(server.pid);
    expect(server.output()).toMatch(/npm is gone.*Stopped\./s);
    expect(await isAlive(database)).toBe(false);
  });

  test('builds nothing when nothing has changed', inTurn, async () => {
    const server = await place.serve({ npmArgs: ['start'] });
    expect(server.output()).not.toContain('Building');
    process.kill(-server.pid, 'SIGTERM');
    await waitUntilGroupExited(server.pid);
  });
});

describe.concurrent('what a restart keeps', () => {
  test('tokens stay valid, and demo data that was changed is not touched again', async () => {
    await using place = await openSandbox();
    const first = await place.serve();
    const token = await logIn(first, 'ana');
    const json = { about_me: 'Now with a cat.' };
    expect((await call(first, 'PATCH /users/me', { token, json })).status).toBe(200);
    await first.stop();

    const second = await place.serve();
    const { status, body } = await call<CurrentArtist>(second, 'GET /users/me', { token });
    expect(status).toBe(200);
    expect(body.about_me).toBe('Now with a cat.');
    const artists = 'SELECT username FROM artists ORDER BY username';
    expect(await queryDatabase(await place.databaseUrl(), artists)).toEqual([
      ['ana'],
      ['bo'],
      ['cleo'],
    ]);
  });

  test('no demo with DEMO=0, nor for other machines to find, unless DEMO=1 asks for it', async () => {
    await using place = await openSandbox();
    for (const [env, status] of [
      [{ DEMO: '0' }, 404],
      [{ HOST: '0.0.0.0' }, 404],
      [{ HOST: '0.0.0.0', DEMO: '1' }, 200],
    ] as const) {
      const server = await place.serve({ env });
      const url = `http://127.0.0.1:${server.port}`;
      expect((await call({ url }, 'GET /users/artist/ana')).status).toBe(status);
      expect(server.output().includes('tattoo-demo')).toBe(status === 200);
      await server.stop();
    }
  });
});

describe.concurrent('a start that cannot be says why in words, and ends', () => {
  test('every setting that is wrong is named at once', async () => {
    await using place = await openSandbox();
    const refused = await place.launch({
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
    expectWords(refused, [
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
    expect(existsSync(place.dataDir)).toBe(false);
  });

  test('a missing SECRET_KEY with DATABASE_URL, beside what else is wrong', async () => {
    await using place = await openSandbox();
    const env = { DATABASE_URL: 'postgres://127.0.0.1/linework', DEMO: 'yes' };
    expectWords(await place.launch({ env }).exited, ['SECRET_KEY', 'DEMO']);
  });

  test('a DATABASE_URL where nobody answers', async () => {
    await using place = await openSandbox();
    const env = { DATABASE_URL: 'postgres://me:hushhush@127.0.0.1:1/linework', SECRET_KEY: KEY };
    const refused = await place.launch({ env }).exited;
    expectWords(refused, ['DATABASE_URL', 'ECONNREFUSED']);
    expect(refused.output).not.toContain('hushhush');
  });

  test('a migration by hand of a DATABASE_URL where nobody answers', async () => {
    await using place = await openSandbox();
    const env = { DATABASE_URL: 'postgres://me:hushhush@127.0.0.1:1/linework' };
    const migration = place.launch({ npmArgs: ['run', '--silent', 'migrate'], env });
    await migration.waitForOutput(/DATABASE_URL was not migrated: .*ECONNREFUSED/);
    const refused = await migration.exited;
    expectWords(refused, []);
    expect(refused.output).not.toContain('hushhush');
  });

  test('an address that is not of this machine', async () => {
    await using place = await openSandbox();
    expectWords(await place.launch({ env: { HOST: '192.0.2.7', DEMO: '0' } }).exited, [
      '192.0.2.7',
      'HOST',
    ]);
    expect(await place.postmaster()).toBeUndefined();
  });

  test('a data directory that is a file', async () => {
    await using place = await openSandbox();
    await writeFile(place.dataDir, 'in the way');
    expectWords(await place.launch().exited, [place.dataDir]);
  });

  test('a site that is not built', async () => {
    await using place = await openSandbox();
    const program = await copyProgram(join(dirname(place.dataDir), 'program'), { built: false });
    expectWords(await place.launch({ programFolder: program }).exited, ['npm run build']);
    expect(existsSync(place.dataDir)).toBe(false);
  });
});

/** Ended by itself, with an exit code of 1 and words that hold these, and no stack trace. */
function expectWords({ code, output }: ExitResult, words: readonly string[]): void {
  for (const word of words) expect(output).toContain(word);
  expect(output).not.toMatch(/^\s+at /m);
  expect(code).toBe(1);
}

async function open({ port }: RunningServer): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  await once(socket, 'connect');
  return socket;
}

/** A login whose second half is still to come. */
async function beginLogin(server: RunningServer): Promise<{ socket: Socket; finish: () => void }> {
  const form = 'username=ana%40example.com&password=tattoo-demo';
  const socket = await open(server);
  const continued = once(socket, 'data');
  socket.write(
    `POST /api/v1/login/access-token HTTP/1.1\r\nHost: linework.test\r\nExpect: 100-continue\r\n` +
      `Content-Type: application/x-www-form-urlencoded\r\nContent-Length: ${form.length}\r\n\r\n`,
  );
  await continued;
  socket.write(form.slice(0, 20));
  return { socket, finish: () => socket.write(form.slice(20)) };
}

/** The addresses on which anything listens at this port, as the kernel writes them. */
async function listeningOn(port: number): Promise<string[]> {
  const tables = await Promise.all(
    ['tcp', 'tcp6'].map((table) => readFile(`/proc/net/${table}`, 'utf8').catch(() => '')),
  );
  const ending = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  return tables
    .flatMap((table) => table.split('\n').slice(1))
    .map((line) => line.trim().split(/\s+/))
    .filter(([, local = '', , state]) => state === '0A' && local.endsWith(ending))
    .map(([, local = '']) => local.slice(0, -ending.length));
}
