import { request } from 'node:http';
import { connect as connectHttp2 } from 'node:http2';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, type TestContext, test } from 'vitest';
import { freePort } from '#support/free_port.ts';
import { createMultipart, createNoisyPicture } from '#support/pictures.ts';
import { responseTo } from '#support/response_to.ts';
import { type Nginx, openCaddy, openNginx, type ReverseProxy } from '#support/reverse_proxies.ts';
import { queryDatabase, type RunningServer, serveDemo } from '#support/sandbox.ts';
import { openVarnish } from '#support/varnish.ts';
import { type BookingInput, call, createBookingInputs, logIn } from './bookings.ts';
import { copyNextVersion } from './next_version.ts';
import { startTraffic, type TrafficReport } from './proxied_traffic.ts';

/** The address of a client; the proxies themselves connect from 127.0.0.1. */
const CLIENT = '127.0.1.1';
const PAGES = ['/', '/ana', '/ana/scheduling', '/api/v1/users/artist/ana', '/readyz'];
/** Of nginx, which refuses larger bodies by default. */
const MAX_DEFAULT_BODY_BYTES = 1_048_576;
/** Larger than an upload of one picture may be. */
const LARGE_BODY_BYTES = 20_000_000;

/** Of a table that every booking uses. */
const NEXT_SQL = `-- Older servers can run with this migration: the column has a default.
ALTER TABLE appointments ADD COLUMN next_version text NOT NULL DEFAULT '';
CREATE INDEX appointments_next_version ON appointments (next_version);`;

/** Its server runs the database for the two others. */
const demo = serveDemo();
let databaseUrl: string;
/** Free times of the demo artist ana, half of them for each proxy. */
let inputs: BookingInput[];
let ports: [number, number];
const settings: Record<string, string>[] = [];
const servers: RunningServer[] = [];
let caddy: ReverseProxy;
let nginx: Nginx;
beforeAll(async () => {
  inputs = await createBookingInputs(demo.server);
  databaseUrl = await demo.sandbox.databaseUrl();
  const port = await freePort(2);
  ports = [port, port + 1];
  for (const nth of ports.keys()) {
    settings[nth] = await demo.sandbox.settingsBeside();
    servers[nth] = await startServer(nth);
  }
  caddy = await openCaddy(ports);
  nginx = await openNginx(ports);
});
afterAll(async () => {
  for (const proxy of [caddy, nginx]) await proxy[Symbol.asyncDispose]();
});

function startServer(nth: number, programFolder?: string): Promise<RunningServer> {
  return demo.sandbox.serve({
    ...(programFolder !== undefined && { programFolder }),
    env: {
      ...settings[nth],
      PORT: String(ports[nth]),
      TRUSTED_PROXIES: '127.0.0.1',
      STOP_DELAY_SECONDS: '3',
      SITE_URL: 'https://book.example.com',
    },
  });
}

/** Stops each server, and starts one in its place before the next one stops. */
async function replaceServers(programFolder?: string): Promise<void> {
  for (const nth of ports.keys()) {
    expect(await servers[nth]?.stop()).toMatchObject({ code: 0 });
    servers[nth] = await startServer(nth, programFolder);
  }
}

test('the body of a DELETE reaches the API', async () => {
  const varnish = await openVarnish(ports);
  try {
    await varnish.waitForHealthy(2);
    const token = await logIn(demo.server, 'ana');
    for (const { url } of [varnish, caddy, nginx]) {
      const json = { current_password: 'a guess' };
      // Without its body it would be a 422.
      expect(await call({ url }, 'DELETE /users/me', { token, json })).toMatchObject({
        status: 400,
        body: { detail: 'That is not your current password' },
      });
    }
  } finally {
    await varnish[Symbol.asyncDispose]();
  }
});

test('while one server is down, the other one answers each request, also a POST', async () => {
  await servers[0]?.stop();
  try {
    const statuses = new Set<number>();
    for (const { url } of [caddy, nginx])
      for (let nth = 0; nth < 40; nth++) {
        const path = nth % 2 === 0 ? 'GET /users/artist/ana' : 'POST /login/access-token';
        statuses.add((await call({ url }, path)).status);
      }
    expect([...statuses].sort()).toEqual([200, 422]);
  } finally {
    servers[0] = await startServer(0);
  }
});

describe('deploy/caddy/Caddyfile', () => {
  testProxy(() => caddy);

  test('two servers restart one after the other under bookings and page views: no request fails', async ({
    annotate,
  }) => {
    const began = Date.now();
    const traffic = startTraffic(caddy.url, takeInputs());
    await replaceServers();
    await expectNoFailure(began, await traffic.stop(), annotate);
  });
});

describe('deploy/nginx/linework.conf', () => {
  testProxy(() => nginx);

  test('a large body that is not an upload is refused, and not written to the disk', async () => {
    for (const path of ['/', '/api/v1/users/signup', '/api/v1/designs/none/available']) {
      const body = Buffer.alloc(2 * MAX_DEFAULT_BODY_BYTES);
      const refused = await fetch(`${nginx.url}${path}`, { method: 'POST', body });
      expect([path, refused.status]).toEqual([path, 413]);
    }
  });

  test('HTTPS with HTTP/2 is served, and HTTP leads to it', async () => {
    const redirected = await fetch(`http://127.0.0.1:${nginx.redirectPort}/ana?x=1`, {
      redirect: 'manual',
    });
    expect([redirected.status, redirected.headers.get('location')]).toEqual([
      308,
      'https://127.0.0.1/ana?x=1',
    ]);
    const session = connectHttp2(`https://127.0.0.1:${nginx.tlsPort}`, {
      ca: nginx.certificate,
      servername: 'book.example.com',
    });
    const stream = session.request({ ':path': '/ana', ':authority': 'book.example.com' });
    expect(await text(stream)).toContain('Ana');
    expect(session.alpnProtocol).toBe('h2');
    session.close();
  });

  test('two servers are upgraded one after the other under bookings and page views: no request fails', async ({
    annotate,
  }) => {
    const next = await copyNextVersion(NEXT_SQL);
    const began = Date.now();
    const traffic = startTraffic(nginx.url, takeInputs());
    await replaceServers(next);
    await expectNoFailure(began, await traffic.stop(), annotate);
    const statement = 'SELECT DISTINCT next_version FROM appointments';
    expect(await queryDatabase(databaseUrl, statement)).toHaveLength(1);
  });
});

/** The promises of both proxies. */
function testProxy(proxy: () => ReverseProxy): void {
  test('pages, API and health checks are served', async () => {
    for (const path of PAGES)
      expect([path, (await fetch(proxy().url + path)).status]).toEqual([path, 200]);
  });

  test('the address of the client is the one that limits count, and clients cannot forge it', async () => {
    await queryDatabase(databaseUrl, 'DELETE FROM messages');
    const body = JSON.stringify({ name: 'Rosa', email: 'rosa@example.com', message: 'Swallows?' });
    const sent = request(`${proxy().url}/api/v1/users/artist/ana/contact`, {
      method: 'POST',
      localAddress: CLIENT,
      headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': '203.0.113.7' },
    });
    expect((await responseTo(sent.end(body))).resume().statusCode).toBe(201);
    expect(await queryDatabase(databaseUrl, 'SELECT network FROM messages')).toEqual([
      ['127.0.1.0/24'],
    ]);
  });

  test('a picture of megabytes is uploaded, and a larger body gets the refusal of Linework', async () => {
    const token = await logIn({ url: proxy().url }, 'ana');
    const upload = (file: Uint8Array) => {
      const multipart = createMultipart([file], { name: 'Moth', description: '' });
      return call(proxy(), 'POST /designs', { token, multipart });
    };
    const picture = await createNoisyPicture(1000, 1000).png().toBuffer();
    expect(picture.length).toBeGreaterThan(MAX_DEFAULT_BODY_BYTES);
    expect((await upload(picture)).status).toBe(201);
    const refused = await upload(Buffer.alloc(LARGE_BODY_BYTES));
    expect(refused).toMatchObject({
      status: 413,
      body: { detail: 'A picture may have at most 15 MB' },
    });
  });
}

function takeInputs(): BookingInput[] {
  return inputs.splice(0, Math.ceil(inputs.length / 2));
}

/** All requests succeeded, and each booking exists once. */
async function expectNoFailure(
  began: number,
  report: TrafficReport,
  annotate: TestContext['annotate'],
): Promise<void> {
  const { failures, ...counts } = report;
  await annotate(JSON.stringify(counts));
  expect(failures).toEqual([]);
  expect(counts.views).toBeGreaterThan(100);
  expect(counts.bookings).toBeGreaterThan(10);
  expect(counts.confirmations).toBe(counts.bookings);
  // Not those of the other proxy. Deleting them would need the locks that the servers' tasks take.
  const statement = `SELECT status FROM appointments WHERE idempotency_key IS NOT NULL
    AND created_at >= to_timestamp($1)`;
  const rows = await queryDatabase(databaseUrl, statement, [began / 1000]);
  expect(rows).toEqual(rows.map(() => ['confirmed']));
  expect(rows).toHaveLength(counts.bookings);
}
