import { expect, test } from 'vitest';
import type { Service } from '#contract/service.ts';
import { type CallOptions, expectOk } from '#support/call_api.ts';
import { listTimes } from '#support/listed_times.ts';
import { createSignup, PASSWORD } from '#support/new_artist.ts';
import { createDailySchedule } from '#support/sample_people.ts';
import { type RunningServer, serveDemo } from '#support/sandbox.ts';
import { abuseMode } from './abuse_mode.ts';
import { type BookingAnswer, book, confirmBooking, MONTHS } from './bookings.ts';
import { addressOf, callFrom } from './caller.ts';

const SHOP = '203.0.114.7';
const MINUTE_MS = 60_000;
/** People who come at the same time. */
const AT_ONCE = 10;

const demo = serveDemo({ env: { RATE_LIMIT: 'on' } });

/** Signs an artist up who takes bookings of an hour, daily from 10 to 20. */
async function signUp(server: RunningServer, n: number) {
  const email = `artist-${n}@example.com`;
  const account = createSignup({ full_name: 'Ines Kowal', email, username: `artist-${n}` });
  await expectOk(callFrom(server, addressOf(400 + n), 'POST /users/signup', { json: account }));
  const { access_token: token } = await expectOk(
    callFrom<{ access_token: string }>(server, addressOf(400 + n), 'POST /login/access-token', {
      form: { username: email, password: PASSWORD },
    }),
  );
  const call = <T>(operation: string, options: CallOptions) =>
    expectOk(callFrom<T>(server, SHOP, operation, { token, ...options }));
  await call('PATCH /users/me', { json: { scheduling_type: 'service' } });
  await call('PATCH /users/me/schedule', { json: createDailySchedule('10:00', '20:00') });
  const json = { name: 'Small flash', description: '', duration: 60 };
  const service = await call<Service>('POST /services/', { json });
  return { username: account.username, token, service };
}

test('an opening night: two hundred people in five minutes, 60 of them of one carrier, all book', {
  timeout: 900_000,
}, async () => {
  const { server } = demo;
  const { username, service } = await signUp(server, 0);
  const people = abuseMode === 'full' ? 200 : 50;
  const times = await listTimes(server.url, service.id, MONTHS);
  // They choose different hours, the next days first.
  const hours = times.filter(({ start }) => start.slice(14, 16) === '00');
  const start = performance.now();
  const answers: BookingAnswer[] = [];
  const visit = async (n: number) => {
    const isOfCarrier = n % 10 < 3;
    const address = isOfCarrier ? `203.0.113.${n % 250}` : addressOf(n);
    const time = hours[n];
    if (!time) throw new Error('The artist lists fewer times');
    const email = `person-${n}@example.com`;
    const answer = await book(server, address, { ...time, username, serviceId: service.id, email });
    answers.push(answer);
    const { status } = await confirmBooking(server, address, answer.response.body.id);
    return status;
  };
  const confirmations: number[] = [];
  for (let n = 0; n < people; n += AT_ONCE)
    confirmations.push(
      ...(await Promise.all(Array.from({ length: AT_ONCE }, (_, of) => visit(n + of)))),
    );
  const elapsed = performance.now() - start;
  const worked = answers.filter(({ hasWorked }) => hasWorked).length;
  console.log(
    `Opening night: ${people} people in ${(elapsed / MINUTE_MS).toFixed(1)} minutes, ${worked} with a proof of work`,
  );
  expect(answers.map(({ response }) => response.status)).toEqual(Array(people).fill(201));
  expect(answers.filter(({ response }) => response.body.must_prove_email)).toEqual([]);
  expect(confirmations).toEqual(Array(people).fill(200));
  expect(elapsed).toBeLessThan(5 * MINUTE_MS);
});

test('six artists of one studio enter walk-ins from one address for a day: none is refused', {
  timeout: 900_000,
}, async () => {
  const { server } = demo;
  const walkIns = abuseMode === 'full' ? 40 : 15;
  const artists = [];
  for (let n = 1; n <= 6; n += 1) artists.push(await signUp(server, n));
  const statuses = await Promise.all(
    artists.map(async ({ username, token, service }) => {
      const answers: number[] = [];
      for (let n = 0; n < walkIns; n += 1) {
        const start = new Date(Math.ceil(Date.now() / MINUTE_MS) * MINUTE_MS + n * 15 * MINUTE_MS);
        const end = new Date(start.getTime() + 14 * MINUTE_MS);
        const json = {
          client: { first_name: 'Rosa', email: `walk-in-${username}-${n}@example.com` },
          service_id: service.id,
          start,
          end,
        };
        const { status } = await callFrom(server, SHOP, 'POST /appointments/', { token, json });
        answers.push(status);
      }
      return answers;
    }),
  );
  expect(statuses).toEqual(Array(6).fill(Array(walkIns).fill(201)));
});
