import { expect, test, vi } from 'vitest';
import { searchServerErrors } from '#server/database/server_errors.ts';
import { createErrorRecorder } from '#server/log/error_recorder.ts';
import { openTestApp } from '#support/test_app.ts';

const PAGE = { skip: 0, limit: 100 };
const REQUEST = { requestId: 'abc-1', route: 'GET /[username]', status: 500 };

async function setUp() {
  const { database } = await openTestApp({ database: 'own' });
  let now = Date.now();
  const record = createErrorRecorder(database, () => now);
  const stored = async () => (await searchServerErrors(database, undefined, PAGE)).rows;
  const waitForErrors = (count: number) =>
    vi.waitFor(async () => expect(await stored()).toHaveLength(count));
  return {
    ...{ database, record, stored, waitForErrors },
    passSecond: () => {
      now += 1000;
    },
  };
}

test('an error is stored with its request, its code and its frames', async () => {
  const { record, stored, waitForErrors } = await setUp();
  const cause = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  record(new TypeError('No such field', { cause }), REQUEST);
  record('thrown text', { queue: 'export' });
  await waitForErrors(2);
  const [ofJob, ofRequest] = await stored();
  expect(ofRequest).toMatchObject({
    ...{ request_id: 'abc-1', route: 'GET /[username]', status: 500 },
    ...{ name: 'TypeError', code: 'ECONNREFUSED' },
    message: 'No such field ← Error: connect ECONNREFUSED',
  });
  expect(ofRequest?.stack).toMatch(/^at .*error_recorder\.test\.ts/);
  expect(ofJob).toMatchObject({ request_id: null, route: 'job export', status: null, stack: '' });
});

test('an error is stored without what a person may have typed', async () => {
  const { record, stored, waitForErrors } = await setUp();
  const secrets = ['rosa@example.com', '+1 212 555 0100', '“quiet” "hello there"'];
  record(
    new Error(
      'rosa@example.com, +1 212 555 0100, "hello there" and 11111111-1111-4111-8111-111111111111\0',
    ),
    REQUEST,
  );
  const constraint = 'duplicate key value violates unique constraint "artists_email"';
  record(Object.assign(new Error(constraint), { code: '23505', detail: secrets[0] }), REQUEST);
  await waitForErrors(2);
  const messages = (await stored()).map(({ message }) => message);
  expect(messages).toContain(constraint);
  expect(messages).toContain('…@…, …, "…" and …');
  const everything = JSON.stringify(await stored());
  for (const secret of ['rosa', '555', 'hello', '11111111'])
    expect(everything).not.toContain(secret);
});

test('at most five errors are stored of each second', async () => {
  const { record, waitForErrors, passSecond, stored } = await setUp();
  for (let count = 0; count < 20; count += 1) record(new Error('again'), REQUEST);
  await waitForErrors(5);
  passSecond();
  record(new Error('later'), REQUEST);
  await waitForErrors(6);
  expect((await stored()).filter(({ message }) => message === 'later')).toHaveLength(1);
});

test('errors that cannot be stored are dropped, and later ones are stored again', async () => {
  const { database, stored, waitForErrors } = await setUp();
  const attempts: string[] = [];
  const flaky = new Proxy(database, {
    get(target, name) {
      if (name === 'insertInto') {
        attempts.push('insert');
        if (attempts.length === 1) throw new Error('The database is down');
      }
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  const record = createErrorRecorder(flaky);
  record(new Error('lost'), REQUEST);
  await vi.waitFor(() => expect(attempts).toHaveLength(1));
  record(new Error('kept'), REQUEST);
  await waitForErrors(1);
  expect(await stored()).toMatchObject([{ message: 'kept' }]);
});
