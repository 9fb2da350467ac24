import type { CurrentAlarm } from '#contract/abuse.ts';
import type { Confirmation } from '#contract/appointment.ts';
import { DAY_MS, MINUTE_MS } from '#domain/time/time.ts';
import type { TestArtist } from './new_artist.ts';
import { solve } from './proof_of_work.ts';
import { FILLED_FORM, listSlots, openTestApp, type TestApp } from './test_app.ts';

export interface Sender {
  readonly address: string;
  readonly email?: string;
  readonly design_id?: string;
  readonly headers?: Record<string, string>;
}

/** An application with limits, and an artist whose times of so many days different people book one by one. */
export async function openLimitedApp(daysAhead = 60) {
  const app = await openTestApp({ database: 'own', rateLimit: true });
  const artist = await app.newArtist();
  // From the day after tomorrow, so that the list does not become shorter during a test.
  const dayAhead = (days: number) =>
    new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);
  await app.call('PATCH /users/me/booking_range', {
    token: artist.token,
    json: { kind: 'fixed', start: dayAhead(2), end: dayAhead(daysAhead + 1) },
  });
  const slots = await listSlots(app, artist);
  let next = 0;
  const book = (sender: Sender, of: TestApp = app) => {
    const slot = slots[next];
    next += 1;
    if (!slot) throw new Error('The artist has fewer slots');
    return bookAs(of, artist, slot, sender);
  };
  /** Books, and solves a challenge if there is one. */
  const bookWithWork = async (sender: Sender) => {
    const first = await book(sender);
    if (first.status !== 429 || !('challenge' in Object(first.body))) return first;
    next -= 1;
    return book({ ...sender, headers: await solve(first.body) });
  };
  const loadAlarm = async () => {
    const path = 'GET /users/me/booking-alarm';
    return (await app.call<CurrentAlarm>(path, { token: artist.token })).body.alarm;
  };
  const countListed = async () => (await listSlots(app, artist)).length;
  return { app, artist, slots, book, bookWithWork, loadAlarm, countListed };
}

export function bookAs(
  app: TestApp,
  artist: TestArtist,
  slot: { start: string; end: string },
  { address, email = 'rosa@example.com', design_id, headers = {} }: Sender,
) {
  const json = { ...FILLED_FORM, email, service_id: artist.service.id, design_id, ...slot };
  return app.call<Confirmation>(`POST /appointments/request/service?username=${artist.username}`, {
    json,
    headers,
    address,
  });
}

/** All mails, once those of holds have waited for the confirmation. */
export async function mailsAfterWaits(app: TestApp) {
  await app.runJobs();
  await app.runMinutelyTasks(Date.now() + 3 * MINUTE_MS);
  return app.mails();
}

export function mailTokenOf(text: string | undefined): string {
  const [, token = ''] = /mail_token=([\w-]+)/.exec(text ?? '') ?? [];
  return token;
}
