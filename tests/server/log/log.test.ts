import { spawnSync } from 'node:child_process';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createRequestContext, noteArtist, runInRequest } from '#server/http/request_context.ts';
import { createLog } from '#server/log/log.ts';
import type { Config } from '#server/settings/config.ts';

let lines: string[];

beforeEach(() => {
  lines = [];
  vi.useFakeTimers({ now: Date.UTC(2026, 10, 26, 12) });
});
afterEach(() => vi.useRealTimers());

function startLog(config: Partial<Config['log']> = {}) {
  return createLog(
    { format: 'json', level: 'info', ...config },
    { write: (line) => lines.push(line) },
  );
}

const records = () => lines.map((line) => JSON.parse(line));

test('a line has time, level, component, message and fields, as JSON or as text', () => {
  for (const format of ['json', 'text'] as const)
    startLog({ format }).child({ component: 'Mail' }).warn({ mail_id: 'm1' }, 'Sending failed');
  const [json = '', text] = lines;
  expect(JSON.parse(json)).toEqual({
    ...{ level: 'warn', time: '2026-11-26T12:00:00.000Z', component: 'Mail', mail_id: 'm1' },
    msg: 'Sending failed',
  });
  expect(text).toBe('[2026-11-26 12:00:00] WARN: Mail: Sending failed {"mail_id":"m1"}\n');
});

test('as text, lines with and without characters that need escaping have the same form', () => {
  const log = startLog({ format: 'text' });
  log.info('ready');
  log.info({ path: 'a/b', component: 'Files' }, 'Read');
  log.info({ path: 'a\\b', component: 'Files' }, 'Read');
  expect(lines).toEqual([
    '[2026-11-26 12:00:00] INFO: ready\n',
    '[2026-11-26 12:00:00] INFO: Files: Read {"path":"a/b"}\n',
    '[2026-11-26 12:00:00] INFO: Files: Read {"path":"a\\b"}\n',
  ]);
});

test('the line of an error has its message beside the id of the request, and its stack below', () => {
  const log = startLog({ format: 'text' });
  runInRequest(createRequestContext('request-1'), () =>
    log.error({ err: new Error('no such table') }, 'A call failed'),
  );
  const [first] = lines.join('').split('\n');
  expect(first).toBe(
    '[2026-11-26 12:00:00] ERROR: A call failed: no such table {"request_id":"request-1"}',
  );
  expect(lines.join('')).toMatch(/\n +at /);
});

test('lines below LOG_LEVEL are not written', () => {
  const log = startLog({ level: 'warn' });
  log.info('quiet');
  log.error('loud');
  expect(records().map(({ msg }) => msg)).toEqual(['loud']);
});

test('an error that lasts has one line in ten seconds with a count, and its stack once', () => {
  const log = startLog();
  const fail = () => log.error({ err: new Error('no database') }, 'Database: no answer');
  for (let second = 0; second < 25; second += 1) {
    fail();
    fail();
    vi.advanceTimersByTime(1000);
  }
  expect(records().map(({ err, count, error }) => [err?.message, count, error])).toEqual([
    ['no database', undefined, undefined],
    [undefined, 19, 'no database'],
    [undefined, 20, 'no database'],
  ]);
  expect(lines[0]).toContain('log.test.ts');
  expect(lines[1]).not.toContain('log.test.ts');
});

test('an error that comes back after ten quiet seconds has its stack again', () => {
  const log = startLog();
  log.error({ err: new Error('first') }, 'Failed');
  vi.advanceTimersByTime(10_000);
  log.error({ err: new Error('second') }, 'Failed');
  expect(records().map(({ err }) => err.message)).toEqual(['first', 'second']);
});

test('different errors, and the same error of different routes, have their own lines', () => {
  const log = startLog();
  for (const message of ['bug', 'other bug', 'bug'])
    for (const route of ['/a', '/b']) log.error({ err: new Error(message), route }, 'Failed');
  log.error({ err: new Error('bug') }, 'Also failed');
  expect(lines).toHaveLength(5);
});

test('lines without an error are never limited', () => {
  const log = startLog();
  for (let time = 0; time < 5; time += 1) log.error({ mail_id: `m${time}` }, 'Given up');
  expect(lines).toHaveLength(5);
});

test('a line names its request and the artist; a counted one names none, because it is about several', () => {
  const log = startLog();
  for (const id of ['request-1', 'request-2'])
    runInRequest(createRequestContext(id), () => {
      noteArtist('artist-1');
      log.error({ err: new Error('bug') }, 'Failed');
    });
  vi.advanceTimersByTime(10_000);
  expect(
    records().map(({ request_id, artist_id, count }) => [request_id, artist_id, count]),
  ).toEqual([
    ['request-1', 'artist-1', undefined],
    [undefined, undefined, 1],
  ]);
});

test('errors lose emails, ids of appointments, and values that PostgreSQL quotes', () => {
  const log = startLog();
  const cause = new Error('no mailbox rosa@example.com');
  log.error(
    { err: new Error('Get /ana/confirmation/0b2c6c4e-6f0a-4d3e-9a55-0c9f2f6e8f10', { cause }) },
    'Failed',
  );
  log.error(
    {
      err: Object.assign(new Error('invalid input syntax for type date: "Rosa’s \n secret"'), {
        code: '22007',
        detail: 'Key (email)=(rosa@example.com) already exists.',
      }),
    },
    'Query failed',
  );
  const text = lines.join('');
  expect(text).not.toMatch(/rosa|secret|0b2c6c4e/i);
  expect(text).toContain('no mailbox …@…');
  expect(text).toContain('invalid input syntax for type date: ');
});

test('a long text is cut before its emails are searched, so that its length costs no time', () => {
  const person = `${'a'.repeat(60)}@example.com `;
  const err = new Error(person.repeat(1000), { cause: 'x'.repeat(100_000) });
  startLog().error({ err }, 'Failed');
  const [line] = records();
  const redacted: string[] = line.err.message.match(/…@…/g) ?? [];
  expect(redacted.length).toBeGreaterThan(20);
  expect(redacted.length * person.length).toBeLessThanOrEqual(8000 + person.length);
  expect(line.err.stack.length).toBeLessThanOrEqual(8000);
  expect(line.err.cause.message).toMatch(/^x{7000,8000}$/);
});

test('where a long text is cut, no part of an email, id or quoted value is left', () => {
  const log = startLog();
  const personal = 'rosa@example.com 0b2c6c4e-6f0a-4d3e-9a55-0c9f2f6e8f10';
  for (let start = 8000 - personal.length; start < 8000; start += 1) {
    const message = `${'x '.repeat(4000).slice(0, start)} ${personal} and more`;
    log.error({ err: new Error(message), route: `${start}` }, 'Failed');
  }
  const quoted = `invalid input syntax for type date: "Rosa’s "own" ${'secret '.repeat(2000)}"`;
  log.error({ err: Object.assign(new Error(quoted), { code: '22007' }) }, 'Query failed');
  expect(lines).toHaveLength(personal.length + 1);
  expect(lines.join('')).not.toMatch(/ros|0b2|secret/i);
});

test('an error that causes itself, and one whose message is not a text, are logged', () => {
  const log = startLog();
  const circular = new Error('first');
  circular.cause = circular;
  log.error({ err: circular }, 'Failed');
  log.error({ err: Object.assign(new Error('second'), { message: { code: 7 } }) }, 'Failed too');
  expect(records().map(({ err }) => err?.message)).toEqual(['first', '[object Object]']);
});

test.each([
  ['an uncaught error', `throw new Error('broken')`],
  ['process.exit', 'process.exit(1)'],
  ['SIGKILL after a warning', `log.warn('second'); process.kill(process.pid, 'SIGKILL')`],
])('no line is lost when the process ends by %s', (_, end) => {
  const script = `import { createLog } from './src/server/log/log.ts';
    const log = createLog({ format: 'json', level: 'info' });
    log.info('first');
    ${end};`;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', script]);
  const messages = String(stdout)
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).msg);
  expect(messages).toEqual(end.includes('second') ? ['first', 'second'] : ['first']);
});
