// Every wrong setting is named in one line, with what to do. Each test sets one setting wrongly, in a
// server with real parts: a database, a bucket, a mail server, files.
import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { openContext } from '#server/context.ts';
import { saveImageStore } from '#server/database/image_stores.ts';
import { describeConnections } from '#server/doctor/connections.ts';
import { runDoctorChecks } from '#server/doctor/doctor.ts';
import { formatFinding } from '#server/doctor/finding.ts';
import { listen } from '#server/http/listen.ts';
import { ConfigError, readConfig } from '#server/settings/config.ts';
import type { Variables } from '#server/settings/settings.ts';
import { serveBucket } from '#support/bucket.ts';
import { addArtist } from '#support/database_rows.ts';
import { openFolder } from '#support/folder.ts';
import { closeServer, freePort, listenOn } from '#support/free_port.ts';
import { listenForTest } from '#support/listen.ts';
import { databaseUrl } from '#support/postgres_cluster.ts';
import { silentLog } from '#support/recorded_log.ts';
import { queryDatabase } from '#support/sandbox.ts';
import { openSmtpServer } from '#support/smtp_server.ts';
import { createDatabaseCopy, createTestDatabase } from '#support/test_database.ts';

const SECRET_KEY = 'a secret that only tests know';
const WEB_ADDRESS = 'must be an address such as https://linework.example, without a login';
const SITE_ADDRESS =
  'must be an address without a path, such as https://linework.example: pages are at the root of their host';

async function newFile(text: string): Promise<string> {
  const path = join(await openFolder(), 'secret');
  await writeFile(path, text);
  return path;
}

function messageOf(error: unknown): string {
  if (error instanceof ConfigError) return error.message;
  throw error;
}

/** The lines with which a start refuses these settings. */
function refusedLines(variables: Variables): string[] {
  try {
    readConfig(variables);
    return [];
  } catch (error) {
    return messageOf(error)
      .split('\n')
      .slice(1)
      .map((line) => line.trim());
  }
}

/** The line with which a start ends that has these settings. */
async function failedStart(variables: Variables): Promise<string> {
  const config = readConfig({ DATA_DIR: await openFolder(), SECRET_KEY, ...variables });
  await using resources = new AsyncDisposableStack();
  return openContext(config, { log: silentLog, servesPages: false }, resources).then(
    () => 'It started',
    messageOf,
  );
}

/** The lines of the doctor about these settings, except those that say that all is well. */
async function doctorLines(variables: Variables): Promise<string[]> {
  const all = { DATA_DIR: await openFolder(), SECRET_KEY, ...variables };
  const findings = await runDoctorChecks(readConfig(all), all);
  return findings
    .filter(({ status }) => status !== 'ok')
    .map((finding) => `${finding.status}: ${formatFinding(finding)}`);
}

/** The first such line that names this part, such as `images`. */
async function doctorLine(part: string, variables: Variables): Promise<string | undefined> {
  return (await doctorLines(variables)).find((line) => line.includes(`: ${part}: `));
}

/** The settings of a line such as `PORT=70000 HOST=localhost`. */
const parseSettings = (line: string) => parseEnv(line.replaceAll(' ', '\n'));

const S3_KEYS = { S3_BUCKET: 'pictures', S3_ACCESS_KEY_ID: 'x', S3_SECRET_ACCESS_KEY: 'x' };
/** Without a PORT of their own, servers of other tests could answer at SITE_URL. */
const QUIET = { SITE_URL: 'http://127.0.0.1:1' };

describe('a start refuses', () => {
  test.each(
    Object.entries({
      'PORT=70000': 'PORT must be a whole number from 0 to 65535',
      'WORKERS=257': 'WORKERS must be a whole number from 1 to 256, or auto',
      'DATABASE_CONNECTIONS=7': 'DATABASE_CONNECTIONS must be a whole number from 8 to 1000',
      'S3_ENDPOINT=https://key:secret@s3.example': `S3_ENDPOINT ${WEB_ADDRESS}`,
      'SITE_URL=linework.example': `SITE_URL ${SITE_ADDRESS}`,
      'SITE_URL=https://linework.example/book': `SITE_URL ${SITE_ADDRESS}`,
      'SITE_URL=https://linework.example/?lang=en': `SITE_URL ${SITE_ADDRESS}`,
      'PUBLIC_API_URL=api.linework.example': `PUBLIC_API_URL ${WEB_ADDRESS}`,
      'DASHBOARD_URL=/login': `DASHBOARD_URL ${WEB_ADDRESS}`,
      'ALLOWED_ORIGINS=*':
        'ALLOWED_ORIGINS must be web addresses with commas between them, such as https://linework.example',
      'DATABASE_URL=mysql://localhost/linework':
        'DATABASE_URL must be like postgres://user:password@host:5432/name',
      'DATABASE_URL=postgres://localhost/linework': 'SECRET_KEY must be set, since DATABASE_URL is',
      'DATABASE_READ_URL=postgres://localhost/linework':
        'DATABASE_URL must be set, since DATABASE_READ_URL is',
      'SECRET_KEY=short':
        'SECRET_KEY must be at least 16 characters, any; 32 random ones are better',
      'DEMO=yes': 'DEMO must be 0 or 1',
      'HOLD_MINUTES=soon': 'HOLD_MINUTES must be a number above 0',
      'RETAIN_MAILS_DAYS=-1': 'RETAIN_MAILS_DAYS must be a whole number; 0 keeps the data for ever',
      'RATE_LIMIT=none': 'RATE_LIMIT must be on or off',
      'TRUSTED_PROXIES=akamai':
        'TRUSTED_PROXIES must be IP addresses, networks such as 10.0.0.0/8, cloudflare or fastly, with commas between them',
      'PAGE_CACHE_MB=lots': 'PAGE_CACHE_MB must be a number of megabytes, from 0 to 65536',
      'SMTP_URL=mail.linework.example':
        'SMTP_URL must be like smtp://user:password@mail.linework.example:587',
      'MAIL_FROM=Linework':
        'MAIL_FROM must be an email address, or like Linework <no-reply@linework.example>',
      'S3_BUCKET=pictures': 'S3_ENDPOINT must be set, since S3_BUCKET is',
      'STRIPE_SECRET_KEY=sk_x': 'STRIPE_PRICE_ID must be set, since STRIPE_SECRET_KEY is',
      'CLOUDFLARE_ZONE_ID=x': 'CLOUDFLARE_API_TOKEN must be set, since CLOUDFLARE_ZONE_ID is',
      'VARNISH_URLS=varnish:80': 'VARNISH_URLS must be web addresses with commas between them',
      'FIRST_SUPERUSER_EMAIL=a@example.com FIRST_SUPERUSER_PASSWORD=short':
        'FIRST_SUPERUSER_PASSWORD must be at least 8 characters',
    }),
  )('%s with one line that says what it must be', (settings, line) => {
    expect(refusedLines(parseSettings(settings))).toContain(line);
  });

  test('a secret that is set and in a file too', () => {
    expect(refusedLines({ SECRET_KEY, SECRET_KEY_FILE: '/run/secrets/key' })).toEqual([
      'SECRET_KEY and SECRET_KEY_FILE are both set: remove one of them',
    ]);
  });

  test('a file of a secret that is missing, empty or a folder, or has several lines, without showing it', async () => {
    const [empty, folder] = [await newFile('\n'), await openFolder()];
    const DATABASE_URL = 'postgres://localhost/linework';
    const refused = (SECRET_KEY_FILE: string) => refusedLines({ DATABASE_URL, SECRET_KEY_FILE });
    const MUST = 'SECRET_KEY_FILE must be a file that this user may read:';
    expect(refused('/run/secrets/missing')).toEqual([
      `${MUST} /run/secrets/missing does not exist`,
    ]);
    expect(refused(empty)).toEqual([
      `SECRET_KEY_FILE names an empty file, ${empty}: write the secret to it`,
    ]);
    expect(refused(folder)).toEqual([`${MUST} ${folder} is a folder`]);
    for (const content of [
      'a secret that only\ntests know',
      'a secret that only\0tests know',
      'a secret that only tests know\x7f',
      '\na secret that only tests know',
    ]) {
      const path = await newFile(content);
      expect(refused(path)).toEqual([
        `SECRET_KEY_FILE must be a file of one line of text: ${path} is not`,
      ]);
    }
  });

  test('a wrong value in a file, without showing it', async () => {
    expect(refusedLines({ SMTP_URL_FILE: await newFile('hush@mail.example\n') })).toEqual([
      'SMTP_URL (of SMTP_URL_FILE) must be like smtp://user:password@mail.linework.example:587',
    ]);
  });

  test('a DATA_DIR that is a file, or in a place where no folder can be made', async () => {
    const advice = 'Make it a folder this user may write to, or set DATA_DIR to another one.';
    const path = await newFile('in the way');
    expect(await failedStart({ DATA_DIR: path })).toBe(
      `Cannot write to the data directory ${path} (EEXIST). ${advice}`,
    );
    expect(await failedStart({ DATA_DIR: '/proc/linework/data' })).toBe(
      `Cannot write to the data directory /proc/linework/data (ENOENT). ${advice}`,
    );
  });

  test('a PORT that is taken, and a HOST that is not of this machine', async () => {
    const other = createServer();
    const port = await listenOn(other);
    onTestFinished(() => closeServer(other));
    const failure = (host: string, wanted: number) =>
      listen(createServer(), { host, port: wanted, settings: { host: 'HOST', port: 'PORT' } }).then(
        String,
        messageOf,
      );
    expect(await failure('127.0.0.1', port)).toBe(
      `Port ${port} is taken on 127.0.0.1. Stop what listens there, or set PORT to another one.`,
    );
    expect(await failure('192.0.2.7', 0)).toBe(
      'Cannot listen on 192.0.2.7 (EADDRNOTAVAIL). Set HOST to an address of this machine.',
    );
  });
});

describe('a start ends with one line because of a DATABASE_URL', () => {
  const changed = (change: (url: URL) => void) => {
    const url = new URL(inject('cluster'));
    change(url);
    return url.href;
  };
  const PREFIX = 'The database of DATABASE_URL cannot be used:';

  test('with a wrong password, which is not shown', async () => {
    const url = changed((one) => {
      one.password = 'wrong-and-secret';
    });
    expect(await failedStart({ DATABASE_URL: url })).toBe(
      `${PREFIX} PostgreSQL refuses the password of the user postgres. Correct the password in DATABASE_URL, and write special characters in it as %40.`,
    );
  });

  test.each([
    [
      'postgres://me@nowhere.invalid/x',
      'no machine has the name of nowhere.invalid:5432. Correct the host name in DATABASE_URL.',
    ],
    [
      'postgres://me@127.0.0.1:1/x',
      'nothing listens on 127.0.0.1:1 (ECONNREFUSED). Start PostgreSQL there, or correct host and port in DATABASE_URL.',
    ],
    [
      databaseUrl(inject('cluster'), 'nothing'),
      'there is no database nothing. Create it (createdb --owner=postgres nothing), or correct its name in DATABASE_URL.',
    ],
  ])('such as %s', async (url, reason) => {
    expect(await failedStart({ DATABASE_URL: url })).toBe(`${PREFIX} ${reason}`);
  });

  test('of a server that is no PostgreSQL', async () => {
    const server = createServer();
    const port = await listenOn(server);
    onTestFinished(() => closeServer(server));
    expect(await failedStart({ DATABASE_URL: `postgres://me@127.0.0.1:${port}/x` })).toBe(
      `${PREFIX} 127.0.0.1:${port} does not answer as PostgreSQL does. Correct host and port in DATABASE_URL.`,
    );
  });

  test('that asks for TLS of a server without it', async () => {
    const url = changed((one) => one.searchParams.set('sslmode', 'require'));
    expect(await failedStart({ DATABASE_URL: url })).toBe(
      `${PREFIX} The server does not support SSL connections. Correct sslmode in DATABASE_URL: ?sslmode=disable without TLS, ?sslmode=verify-full with it.`,
    );
  });

  test('with a user who may not create tables', async () => {
    const user = `reader_${randomUUID().slice(0, 8)}`;
    const run = (statement: string) => queryDatabase(inject('cluster'), statement);
    await run(`CREATE DATABASE ${user}_db`);
    await run(`CREATE ROLE ${user} LOGIN PASSWORD 'letters'`);
    onTestFinished(async () => {
      await run(`DROP DATABASE ${user}_db WITH (FORCE)`);
      await run(`DROP ROLE ${user}`);
    });
    const url = changed((one) => {
      one.pathname = `/${user}_db`;
      one.username = user;
      one.password = 'letters';
    });
    expect(await failedStart({ DATABASE_URL: url })).toBe(
      `${PREFIX} permission denied for schema public (user ${user}). Make ${user} the owner of the database, or name its owner in DATABASE_URL.`,
    );
  });
});

describe('the doctor names in one line', () => {
  test.each(
    Object.entries({
      'SITE_ULR=x': 'SITE_ULR is not a setting, so it does nothing. Did you mean SITE_URL?',
      'RETAIN_MAIL_DAYS=9':
        'RETAIN_MAIL_DAYS is not a setting, so it does nothing. Did you mean RETAIN_MAILS_DAYS?',
      'SMTP_HOST=x':
        'SMTP_HOST is not a setting, so it does nothing. Write it into SMTP_URL: smtp://user:password@mail.linework.example:587.',
      'SITE_URL_FILE=x':
        'SITE_URL_FILE is not a setting, so it does nothing. Only secrets may be in a file: set SITE_URL.',
      'S3_REGION=eu-west-1':
        'S3_REGION does nothing without a bucket. Set S3_BUCKET too, or remove it.',
      'MAIL_FROM=a@linework.example':
        'MAIL_FROM does nothing without SMTP_URL. Set SMTP_URL, or remove it.',
      'SECRET_KEY=0123456789abcdef SECRET_KEY_PREVIOUS=0123456789abcdef':
        'SECRET_KEY_PREVIOUS is the same as SECRET_KEY, so it does nothing. Set it to the previous key, or remove it.',
      'RATE_LIMIT=off':
        'RATE_LIMIT=off lifts all limits against abuse. Remove it, unless this is a load test.',
      'PUBLIC_API_URL=http://127.0.0.1:2 ALLOWED_ORIGINS=http://127.0.0.1:3':
        'ALLOWED_ORIGINS lacks SITE_URL, so pages at http://127.0.0.1:1 may not call the API at http://127.0.0.1:2. Add http://127.0.0.1:1 to ALLOWED_ORIGINS.',
      'STRIPE_SECRET_KEY=pk_live_x STRIPE_WEBHOOK_SECRET=whsec_x STRIPE_PRICE_ID=price_x':
        'STRIPE_SECRET_KEY does not begin with sk_ or rk_, so it is probably another value of Stripe. Copy STRIPE_SECRET_KEY again from Stripe’s dashboard.',
    }),
  )('the setting of %s', async (settings, line) => {
    expect(await doctorLines({ ...QUIET, ...parseSettings(settings) })).toContain(
      `warning: settings: ${line}`,
    );
  });

  test.each(
    Object.entries({
      'TRUSTED_PROXIES=10.0.0.1':
        'TRUSTED_PROXIES never matches: on HOST 127.0.0.1, every connection comes from this machine, and all clients count as one. Add 127.0.0.1 to TRUSTED_PROXIES.',
      'TRUSTED_PROXIES=0.0.0.0/0':
        'TRUSTED_PROXIES contains the whole internet, so every client can invent its address. Name only the addresses of your proxies.',
      'CLOUDFLARE_ZONE_ID=x CLOUDFLARE_API_TOKEN=x':
        'cloudflare is in front of this server and not in TRUSTED_PROXIES, so all clients behind one of its servers count as one. Add cloudflare to TRUSTED_PROXIES.',
    }),
  )('the proxies of %s', async (settings, line) => {
    expect(await doctorLines({ ...QUIET, ...parseSettings(settings) })).toContain(
      `warning: proxies: ${line}`,
    );
  });

  test('a missing SMTP_URL, whose mails are saved and not sent', async () => {
    const DATA_DIR = await openFolder();
    expect(await doctorLines({ ...QUIET, DATA_DIR })).toContain(
      `warning: mail: Saved, not sent: SMTP_URL is not set, so mails are only written to ${DATA_DIR}/outbox. Set SMTP_URL=smtp://user:password@host:587, and try it with \`npm run mail:test\`.`,
    );
  });

  test('an SMTP_URL with a wrong password, a wrong host, nobody listening, or TLS where there is none', async () => {
    await using smtp = await openSmtpServer({ login: { user: 'operator', password: 'right' } });
    const { host } = new URL(smtp.url);
    const line = (SMTP_URL: string) => doctorLine('mail', { ...QUIET, SMTP_URL });
    expect(await line(smtp.url.replace('right', 'wrong'))).toBe(
      `error: mail: No mail is sent by ${host}. The mail server did not accept our login (535). Correct user and password in SMTP_URL, and write special characters in them as %40.`,
    );
    expect(await line('smtp://mail.invalid')).toBe(
      'error: mail: No mail is sent by mail.invalid. The mail server was not found under its name. Correct the host name in SMTP_URL.',
    );
    expect(await line('smtp://127.0.0.1:1')).toBe(
      'error: mail: No mail is sent by 127.0.0.1:1. The mail server could not be reached (ECONNREFUSED). Correct SMTP_URL, or start the mail server.',
    );
    expect(await line(smtp.url.replace('smtp:', 'smtps:'))).toBe(
      `error: mail: No mail is sent by ${host}. No secure connection to the mail server could be made: try smtp:// for smtps://, or the other way round. Use the port and the beginning that your mail provider names.`,
    );
    expect(await line(smtp.url)).toBeUndefined();
    expect(smtp.mails).toEqual([]);
  });

  test('a mail server that gets our password unencrypted over the network', async () => {
    await using smtp = await openSmtpServer({ login: { user: 'operator', password: 'right' } });
    // Linux connects to this machine, and the doctor does not know that.
    const SMTP_URL = smtp.url.replace('127.0.0.1', '0.0.0.0');
    expect(await doctorLines({ ...QUIET, SMTP_URL })).toContain(
      `warning: mail: ${new URL(SMTP_URL).host} offers no TLS, so our password travels unencrypted. Use smtps:// in SMTP_URL, or a port with STARTTLS.`,
    );
  });

  test('a bucket that is missing, or whose key is wrong', async () => {
    const { settings } = await serveBucket('pictures');
    const line = (changes: Record<string, string>) =>
      doctorLine('images', { ...QUIET, ...settings, ...changes });
    expect(await line({ S3_BUCKET: 'picture' })).toBe(
      'error: images: The bucket picture cannot be used: there is no bucket picture. Create it with `npm run bucket`, or correct S3_BUCKET.',
    );
    expect(await line({ S3_ACCESS_KEY_ID: 'somebody' })).toBe(
      'error: images: The bucket pictures cannot be used: it does not know our key. Correct S3_ACCESS_KEY_ID.',
    );
    expect(await line({})).toBeUndefined();
  });

  test.each([
    [
      'SignatureDoesNotMatch',
      'it refuses our key. Correct S3_SECRET_ACCESS_KEY, which belongs to S3_ACCESS_KEY_ID.',
    ],
    [
      'AccessDenied',
      'our key may not read and write in the bucket pictures. Give the key of S3_ACCESS_KEY_ID the rights to put, get, list and delete objects.',
    ],
  ])('a bucket that answers %s', async (code, text) => {
    // The stand-in for S3 does not check keys.
    const { origin: S3_ENDPOINT } = await listenForTest((_request, response) => {
      response.writeHead(403, { 'Content-Type': 'application/xml' });
      response.end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>No</Message></Error>`);
    });
    expect(await doctorLines({ ...QUIET, ...S3_KEYS, S3_ENDPOINT })).toContain(
      `error: images: The bucket pictures cannot be used: ${text}`,
    );
  });

  test('an S3_ENDPOINT that is no S3, or where nobody listens', async () => {
    const { origin } = await listenForTest((_request, response) => response.end('Hello'));
    const line = (S3_ENDPOINT: string) =>
      doctorLine('images', { ...QUIET, ...S3_KEYS, S3_ENDPOINT });
    expect(await line(origin)).toMatch(
      /^error: images: The bucket pictures cannot be used: http:\/\/127\.0\.0\.1:\d+ does not answer as S3 does \(.+\)\. Correct S3_ENDPOINT: the address of the S3 API, without the name of the bucket\.$/,
    );
    expect(await line('http://127.0.0.1:1')).toBe(
      'error: images: The bucket pictures cannot be used: http://127.0.0.1:1 cannot be reached (ECONNREFUSED). Correct S3_ENDPOINT, or start the image store.',
    );
  });

  test('a SITE_URL where nobody or something else answers, or which redirects', async () => {
    const { port } = await listenForTest((request, response) => {
      if (request.headers.host?.startsWith('localhost'))
        response.writeHead(301, { Location: 'https://linework.example/' });
      response.end('Welcome to nginx!');
    });
    const line = (SITE_URL: string) => doctorLine('site address', { SITE_URL });
    const nobody = await freePort();
    expect(await line(`http://127.0.0.1:${nobody}`)).toBe(
      `warning: site address: http://127.0.0.1:${nobody} cannot be reached from here (ECONNREFUSED). Start the server and its proxy, or correct SITE_URL; leave it if only this machine cannot reach it.`,
    );
    expect(await line(`http://127.0.0.1:${port}`)).toBe(
      `error: site address: Something else answers at http://127.0.0.1:${port}. Let the proxy pass requests on to this server, or correct SITE_URL.`,
    );
    expect(await line(`http://localhost:${port}`)).toBe(
      `warning: site address: http://localhost:${port} redirects to https://linework.example. Set SITE_URL to the address to which it redirects.`,
    );
  });

  test('a SITE_URL that only this machine finds, while mails have links', async () => {
    await using smtp = await openSmtpServer();
    expect(await doctorLines({ ...QUIET, SMTP_URL: smtp.url })).toContain(
      'warning: site address: Links in mails lead to http://127.0.0.1:1, which only this machine finds. Set SITE_URL to the public address.',
    );
  });

  test('a DATABASE_READ_URL that is not a replica, and a DEMO=1 without effect', async () => {
    const url = await createDatabaseCopy();
    const { database, close } = createTestDatabase(url, silentLog);
    onTestFinished(close);
    await addArtist(database);
    const lines = await doctorLines({
      ...QUIET,
      DATABASE_URL: url,
      DATABASE_READ_URL: inject('cluster'),
      DEMO: '1',
    });
    expect(lines).toContain(
      'warning: replica: All reads use DATABASE_URL, because DATABASE_READ_URL cannot be used: the server is not a replica. Let DATABASE_READ_URL name a replica of DATABASE_URL.',
    );
    expect(lines).toContain(
      'warning: demo: DEMO=1 does nothing: the database has artists already. Remove DEMO.',
    );
  });

  test('two servers on one database that store pictures in different folders', async () => {
    const url = await createDatabaseCopy();
    const { database, close } = createTestDatabase(url, silentLog);
    onTestFinished(close);
    const place = '/var/lib/linework-data/media';
    await saveImageStore(database, { store: randomUUID(), server: 'second', place });
    expect(await doctorLines({ ...QUIET, DATABASE_URL: url })).toContainEqual(
      expect.stringMatching(
        /^error: shared images: .* stores pictures in .*\/media, and second in \/var\/lib\/linework-data\/media \(seen 0 minutes ago\): each lacks the pictures of the other\. Set the same S3_BUCKET on all servers, or let the folder media of all be one shared folder\.$/,
      ),
    );
  });

  test('WORKERS that need more connections than PostgreSQL allows', () => {
    const config = readConfig({ WORKERS: '4', DATABASE_CONNECTIONS: '25' });
    expect(formatFinding({ ...describeConnections(97, config, 1), part: 'connections' })).toBe(
      'connections: PostgreSQL allows 97 connections, and this server opens up to 100 (WORKERS=4, DATABASE_CONNECTIONS=25). Raise max_connections of PostgreSQL to 110 or more, or lower WORKERS or DATABASE_CONNECTIONS.',
    );
  });
});

test('the variables of a usual machine are no mistakes', async () => {
  const usual = {
    ...{ PATH: '/usr/bin', HOME: '/root', LANG: 'C.UTF-8', TERM: 'xterm', MAIL: '/var/mail/root' },
    ...{ NODE_ENV: 'production', HOSTNAME: 'web-1', npm_config_cache: '/x', npm_package_name: 'x' },
    ...{ INVOCATION_ID: 'x', JOURNAL_STREAM: '8:1', MALLOC_ARENA_MAX: '2', CI: 'true', USER: 'x' },
    ...{ KUBERNETES_SERVICE_PORT: '443', KUBERNETES_PORT: 'x', HTTP_PROXY: 'x', NO_PROXY: 'x' },
    ...{ SSH_CONNECTION: 'x', LOGNAME: 'x', XDG_DATA_DIRS: '/usr/share', POSTGRES_PASSWORD: 'x' },
    ...{ AWS_REGION: 'x', GITHUB_API_URL: 'x', PORT: '4321', host: 'x', port: 'x', SHLVL: '1' },
  };
  expect(await doctorLine('settings', { ...QUIET, ...usual })).toBeUndefined();
});
