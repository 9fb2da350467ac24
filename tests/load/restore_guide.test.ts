import { execFile } from 'node:child_process';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { PgBoss } from 'pg-boss';
import { expect, inject, test, vi } from 'vitest';
import type { ListPage } from '#contract/common.ts';
import type { ReceivedMessage } from '#contract/contact.ts';
import { freePort } from '#support/free_port.ts';
import { openDemo, queryDatabase, waitUntilExited } from '#support/sandbox.ts';
import {
  book,
  call,
  confirmBooking,
  createBookingInputs,
  fetchConfirmation,
  logIn,
} from './bookings.ts';
import { openMachine } from './machine.ts';

const run = promisify(execFile);
const PROJECT = resolve(import.meta.dirname, '../..');
const WAIT = { timeout: 120_000, interval: 20 };
/** A minute on a quiet machine. */
const NIGHT_MS = 600_000;

/** The commands of docs/restore.md, in their order, as one script. */
async function readGuide(): Promise<string> {
  const guide = await readFile(join(PROJECT, 'docs/restore.md'), 'utf8');
  const [, steps = ''] = /^## The steps$(.*?)^## /ms.exec(guide) ?? [];
  const numbers = [...steps.matchAll(/^(\d)\. /gm)].map(([, number]) => Number(number));
  expect(numbers).toEqual([1, 2, 3, 4, 5, 6, 7]);
  const blocks = [...steps.matchAll(/^ {3}```sh\n(.*?)^ {3}```$/gms)].map(([, block]) => block);
  expect(blocks).toHaveLength(numbers.length);
  return ['set -e', ...blocks].join('\n');
}

/** Runs a scheduled job now, instead of at night or in the next minute. */
async function runNow(databaseUrl: string, queue: string): Promise<void> {
  const boss = new PgBoss({ connectionString: databaseUrl, supervise: false, schedule: false });
  await boss.start();
  await boss.send(queue);
  await boss.stop();
}

test(
  'the commands of docs/restore.md, word by word, bring a destroyed server back from its nightly backup, without those who were deleted since',
  async () => {
    await using sandbox = await openDemo();
    await using machine = await openMachine();
    const backups = join(machine.folder, 'backups');
    const env = { BACKUP_DIR: backups };
    const server = await sandbox.serve({ env });
    const token = await logIn(server, 'ana');
    const [input] = await createBookingInputs(server);
    if (!input) throw new Error('ana has no free time');
    const { body: booking } = await book(server, input);
    await confirmBooking(server, booking.id);
    for (const name of ['Rosa', 'Zoe'])
      await call(server, 'POST /users/artist/ana/contact', {
        json: { name, email: `${name}@example.com`, message: `${name} asks.` },
      });
    const listMessages = async (of: { url: string }) => {
      const { body } = await call<ListPage<ReceivedMessage>>(of, 'GET /users/me/messages', {
        token,
      });
      return body.data;
    };
    const rosa = (await listMessages(server)).find(({ name }) => name === 'Rosa');
    const databaseUrl = await sandbox.databaseUrl();
    await runNow(databaseUrl, 'backup');
    await vi.waitFor(async () => {
      const names = await readdir(backups).catch(() => []);
      expect(names.filter((name) => name.endsWith('.tar'))).toHaveLength(1);
    }, WAIT);
    await vi.waitFor(async () => {
      expect(await queryDatabase(databaseUrl, 'SELECT count(*)::int FROM backups')).toEqual([[1]]);
    }, WAIT);

    // After the backup: what is deleted must stay deleted, and what is added is lost.
    const [[cleoId] = []] = await queryDatabase(
      databaseUrl,
      "SELECT id FROM artists WHERE username = 'cleo'",
    );
    const deletions = [
      await call(server, `DELETE /users/me/messages/${rosa?.id}`, { token }),
      await call(server, 'DELETE /users/me', {
        token: await logIn(server, 'cleo'),
        json: { current_password: 'tattoo-demo' },
      }),
    ];
    expect(deletions.map(({ status }) => status)).toEqual([204, 204]);
    await runNow(databaseUrl, 'erasure_log');
    await vi.waitFor(async () => {
      const log = await readFile(join(backups, 'erasures.log'), 'utf8');
      expect(log).toContain(` message ${rosa?.id}\n`);
      expect(log).toContain(` artist ${cleoId}\n`);
    }, WAIT);

    // The machine is lost, but for the backups.
    const postmaster = await sandbox.postmaster();
    server.process.kill('SIGKILL');
    await server.exited;
    if (postmaster !== undefined) process.kill(postmaster, 'SIGQUIT');
    if (postmaster !== undefined) await waitUntilExited(postmaster);
    await rm(sandbox.dataDir, { recursive: true });

    const port = await freePort();
    await machine.addCommand(
      'systemctl',
      `[ "$1" = start ] || exit 0
      ${machine.startServer(`PORT=${port} RATE_LIMIT=off`, 'server.js')}`,
    );
    // Other users cannot become a user: the test runs all as its own.
    await machine.addCommand('runuser', '[ "$1 $3" = "-u --" ] && shift 3 && exec "$@"');
    // As systemd reads it: a shell would stop at the first line.
    await writeFile(
      join(machine.folder, 'settings'),
      'MAIL_FROM=Linework <no-reply@book.example.com>\n# A comment\nPRODUCT_NAME="Night & Day"\n',
    );
    const { stdout } = await run('sh', ['-c', await readGuide()], {
      env: {
        PATH: machine.path,
        HOME: process.env['HOME'] ?? '',
        npm_config_update_notifier: 'false',
        DATA_DIR: sandbox.dataDir,
        BACKUPS: backups,
        SETTINGS: join(machine.folder, 'settings'),
        LINEWORK: inject('program'),
        SERVER_USER: userInfo().username,
        PORT: String(port),
      },
    });
    expect(stdout).toContain('All counts and sums are those of the backup.');
    expect(stdout).toContain(
      'Deleted again, because they were deleted after the backup: 1 accounts, 0 clients, 0 appointments, 1 messages, 0 pictures.',
    );
    const restored = { url: `http://127.0.0.1:${port}` };
    expect((await fetchConfirmation(restored, booking.id)).body.status).toBe('confirmed');
    // The token was signed with the previous key.
    const names = (await listMessages(restored)).map(({ name }) => name);
    expect(names).toContain('Zoe');
    expect(names).not.toContain('Rosa');
    expect((await call(restored, 'GET /users/artist/cleo')).status).toBe(404);
    const page = await (await fetch(`${restored.url}/ana/about`)).text();
    expect(page).toContain('Night &amp; Day');
    const [picture] = /\/media\/[^" ]+/.exec(page) ?? [];
    expect((await fetch(`${restored.url}${picture}`)).status).toBe(200);
  },
  NIGHT_MS,
);
