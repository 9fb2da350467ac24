import type { Email } from 'postal-mime';
import { expect, test, vi } from 'vitest';
import { toMailbox } from '#domain/mail/mailbox.ts';
import { countStatuses } from '#support/call_api.ts';
import { createSignup, PASSWORD } from '#support/new_artist.ts';
import { readOutbox } from '#support/outbox.ts';
import { createMultipart, createPicture } from '#support/pictures.ts';
import { solve } from '#support/proof_of_work.ts';
import { openDemo, queryDatabase, type RunningServer, type Sandbox } from '#support/sandbox.ts';
import { abuseMode } from './abuse_mode.ts';
import { addressOf, callFrom } from './caller.ts';

const VICTIM = 'rosa.quint@gmail.com';
const MAILS_A_DAY = 5;
/** The text that the attacker wants to be mailed. */
const BAIT = 'You have won a prize';
const HOUR_MS = 3_600_000;

function recipientOf({ to }: Email): string {
  return to?.[0]?.address ?? '';
}

/** Waits until every mail is sent, dropped or waits, then expects few mails to the victim, and the bait in no mail. */
async function expectNoRelay(sandbox: Sandbox): Promise<void> {
  const url = await sandbox.databaseUrl();
  const countDue = `SELECT count(*) FROM mails
    WHERE status = 'queued' AND merged_into IS NULL AND waits_until IS NULL`;
  await vi.waitFor(async () => expect((await queryDatabase(url, countDue))[0]?.[0]).toBe('0'), {
    timeout: 90_000,
    interval: 200,
  });
  const all = await readOutbox(sandbox.dataDir);
  // The demo artists have proven their email.
  const mails = all.filter((mail) => !/^(ana|bo)@/.test(recipientOf(mail)));
  const toVictim = mails.filter((mail) => toMailbox(recipientOf(mail)) === toMailbox(VICTIM));
  expect(toVictim.length).toBeGreaterThan(0);
  expect(toVictim.length).toBeLessThanOrEqual(MAILS_A_DAY);
  for (const { subject, text, html } of mails)
    expect(`${subject} ${text} ${html}`.replace(/\s+/g, ' ')).not.toContain(BAIT);
}

/** Signs up with a bait in every name, and logs in. */
async function newAccount(server: RunningServer): Promise<string> {
  const email = `attacker-${crypto.randomUUID()}@example.com`;
  const username = `attacker-${crypto.randomUUID().slice(0, 8)}`;
  const names = { full_name: BAIT, studio_name: BAIT, city: BAIT, state: BAIT };
  const address = { address_one: BAIT, address_two: BAIT };
  const account = createSignup({ email, username, ...names, ...address });
  const signup = await callFrom(server, '203.0.113.66', 'POST /users/signup', { json: account });
  expect(signup.status).toBe(201);
  const login = await callFrom<{ access_token: string }>(
    server,
    '203.0.113.66',
    'POST /login/access-token',
    { form: { username: email, password: PASSWORD } },
  );
  return login.body.access_token;
}

test('a new account cannot mail a stranger many times, or words of its choosing', async () => {
  await using sandbox = await openDemo();
  const server = await sandbox.serve({ env: { RATE_LIMIT: 'on' } });
  const token = await newAccount(server);
  const call = <T>(operation: string, json: object) =>
    callFrom<T>(server, '203.0.113.66', operation, { token, json });
  const service = await call<{ id: string }>('POST /services/', {
    name: BAIT,
    description: BAIT,
    duration: 60,
  });
  const design = await callFrom<{ id: string }>(server, '203.0.113.66', 'POST /designs/', {
    token,
    multipart: createMultipart([await createPicture()], { name: BAIT, description: BAIT }),
  });
  expect([service.status, design.status]).toEqual([201, 201]);
  const firstHour = Math.ceil(Date.now() / HOUR_MS) * HOUR_MS;
  const timeAt = (hours: number) => ({
    start: new Date(firstHour + hours * HOUR_MS).toISOString(),
    end: new Date(firstHour + hours * HOUR_MS + 59 * 60_000).toISOString(),
  });
  for (let n = 0; n < (abuseMode === 'full' ? 100 : 20); n += 1) {
    const client = { first_name: BAIT, email: VICTIM };
    const entered = await call<{ id: string }>('POST /appointments', {
      client,
      service_id: service.body.id,
      design_id: design.body.id,
      ...timeAt(24 + 2 * n),
      customer_notes: BAIT,
    });
    expect(entered.status).toBe(201);
    const path = `PATCH /appointments/${entered.body.id}`;
    expect((await call(path, timeAt(25 + 2 * n))).status).toBe(200);
    expect((await call(path, { status: 'cancelled', note: BAIT })).status).toBe(200);
  }
  await expectNoRelay(sandbox);
}, 300_000);

test('without an account nobody can mail a stranger many times; the victim can still book', async () => {
  await using sandbox = await openDemo();
  const server = await sandbox.serve({ env: { RATE_LIMIT: 'on' } });
  const request = (address: string, email: string, headers = {}) =>
    callFrom(server, address, 'POST /appointments/request/design?username=bo', {
      json: { email, first_name: BAIT, customer_notes: BAIT },
      headers,
    });
  // One victim's address, in many spellings and from many networks.
  const spellings = Array.from({ length: 40 }, (_, n) => {
    const name = n % 2 ? 'r.o.s.a.quint' : 'rosaquint';
    return `${name}+${n}@${n % 3 ? 'gmail.com' : 'googlemail.com'}`;
  });
  for (const [n, email] of spellings.entries())
    await callFrom(server, addressOf(n % 20), 'POST /users/artist/ana/contact', {
      json: { name: 'Rosa', email, message: BAIT },
    });
  await Promise.all(spellings.map((email, n) => request(addressOf(n % 20), email)));
  // Strangers' addresses from one address: most calls are refused.
  const strangers = await Promise.all(
    Array.from({ length: 120 }, (_, n) => request('203.0.113.66', `stranger-${n}@example.com`)),
  );
  expect(countStatuses(strangers)['201'] ?? 0).toBeLessThanOrEqual(40);
  await expectNoRelay(sandbox);
  // Nobody is refused because strangers typed their address; some must solve a proof of work.
  const first = await request('198.51.100.9', VICTIM);
  const headers = first.status === 429 ? await solve(first.body) : {};
  const booked = first.status === 429 ? await request('198.51.100.9', VICTIM, headers) : first;
  expect(booked.status).toBe(201);
}, 300_000);
