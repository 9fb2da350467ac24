import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import type { Appointment, AppointmentEvent, Confirmation } from '#contract/appointment.ts';
import type { CurrentArtist } from '#contract/artist.ts';
import type { ListPage } from '#contract/common.ts';
import { formatShortDay, formatTime } from '#domain/time/format_time.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, toRfc3339 } from '#domain/time/time.ts';
import { createSmtpMailer } from '#server/mail/smtp_mailer.ts';
import { expectOk } from '#support/call_api.ts';
import { addToCalendar } from '#support/mail_calendar.ts';
import type { TestArtist } from '#support/new_artist.ts';
import { openSmtpServer, type SmtpServer } from '#support/smtp_server.ts';
import { openTestApp } from '#support/test_app.ts';
import { passTime } from '#support/time_travel.ts';

/** `npm run test:outage` makes 500 changes. */
const changeCount = Number(process.env['OUTAGE_CHANGES'] ?? 60);
const seed = Number(process.env['OUTAGE_SEED'] ?? 41);
/** After each part of the hour, deadlines have passed and mails are tried again. */
const PARTS = 12;
const ZONES = ['America/New_York', 'Europe/Berlin', 'Asia/Tokyo', 'UTC'];

/** What can be done by status. Paths are the client's; a time, a price and a new status the artist's. */
const ACTIONS: Readonly<Record<string, readonly string[]>> = {
  requested: ['time', 'time', 'time', 'declined', '/cancel'],
  held: ['/', '/release', 'time', 'time', 'cancelled'],
  offered: ['/', '/decline', 'time', 'time', 'cancelled'],
  confirmed: [...Array(7).fill('time'), '/move', 'price', 'cancelled', '/cancel'],
  expired: ['/'],
};
/** The side and the subject of mails that are true in a status. */
const SUBJECTS: Readonly<Record<string, RegExp>> = {
  requested: /^(client Your request.*(?<!declined|cancelled)|artist (New request|Declined).*)$/,
  held: /^client Please confirm: /,
  offered: /^client A time for you: /,
  confirmed: /^(client (Booked|Moved|New [a-z ]+)|artist (New booking|Moved)): /,
  declined: /^client Your request.* declined$/,
  expired: /^client Not confirmed in time: /,
  cancelled: /^(client|artist) Cancelled: /,
};
/** What each side is mailed about: who did what, and the status before. */
const MAILED = {
  client:
    /^(client (requested|held|confirmed|moved|cancelled confirmed)|artist (entered|offered|moved|declined|cancelled)|system expired)/,
  artist: /^client (requested|confirmed|moved|cancelled|offer_declined)/,
};
type Side = keyof typeof MAILED;

/** Whether there is something to mail. A side knows how things are after it has ended them itself. */
function areNews(side: Side, events: readonly AppointmentEvent[]): boolean {
  let news: AppointmentEvent[] = [];
  for (const event of events) {
    const { by, what, from_status, to_status } = event;
    if (MAILED[side].test(`${by} ${what} ${from_status}`)) news.push(event);
    else if (by === side && from_status !== to_status) news = [];
    // The moves before it do not end where those after it begin. Whether it is mailed itself is in `told`.
    else if (what === 'zone_changed' && areUndone(news)) news = [];
  }
  return news.length > 0 && !areUndone(news);
}

/** Whether they are moves by the artist that end where they began. */
function areUndone(news: readonly AppointmentEvent[]): boolean {
  const areMoves = news.every(({ by, what }) => by === 'artist' && what === 'moved');
  return areMoves && news[0]?.from_start === news.at(-1)?.to_start;
}

const commands = fc.sample(
  fc.record({
    ...{ pick: fc.nat(9999), choice: fc.nat(9999), hours: fc.nat(1099), isOfStudio: fc.nat(6) },
    undo: fc.constantFrom('at once', 'later', 'never'),
  }),
  { seed, numRuns: 8 * changeCount },
);
type Command = (typeof commands)[number];

function toSlot(start: number) {
  return { start: toRfc3339(start), end: toRfc3339(start + 59 * MINUTE_MS) };
}

function bodyOf(action: string, slot: object): object {
  if (action === 'time' || action === '/move') return slot;
  if (action === 'price') return { price: { kind: 'ask' } };
  return action.startsWith('/') ? {} : { status: action };
}

/** Artists and clients who change appointments at random. */
async function openStudios(smtp: SmtpServer) {
  const mailer = createSmtpMailer(smtp.url, 'Linework <no-reply@linework.test>');
  onTestFinished(() => mailer.close());
  const app = await openTestApp({ database: 'own', mailer });
  const schedule = { client_move_notice_hours: 0, client_cancel_notice_hours: 0 };
  const artists: TestArtist[] = [];
  for (const scheduling_type of ['service', 'service', 'managed', 'managed'] as const)
    artists.push(await app.newArtist({ scheduling_type, schedule }));
  const appointments: { id: string; artist: TestArtist; email: string }[] = [];
  /** The appointments whose clients are to read of a change of the studio. */
  const told = new Set<string>();
  /** The artists whose change of the studio can still be undone. */
  const changed = new Set<TestArtist>();
  const undos: (() => Promise<unknown>)[] = [];
  let passedMs = 0;
  let changes = 0;

  async function change({ token }: TestArtist, operation: string, json: object) {
    const { status, body } = await app.call<{ id: string }>(operation, { token, json });
    if (status >= 500) throw new Error(`${operation}: ${status}`);
    if (status >= 300) return null;
    changes += 1;
    return body;
  }

  async function load({ id, artist: { token } }: (typeof appointments)[number]) {
    const page = app.call<Confirmation>(`GET /appointments/confirmation/${id}`);
    const path = `GET /appointments/${id}/history`;
    const { data } = await expectOk(app.call<ListPage<AppointmentEvent>>(path, { token }));
    return { ...(await expectOk(page)), events: data };
  }

  async function changeStudio(artist: TestArtist, { choice, hours, undo }: Command) {
    changed.add(artist);
    const path = 'GET /appointments/?status=confirmed&limit=200';
    const { token } = artist;
    const { data } = await expectOk(app.call<ListPage<Appointment>>(path, { token }));
    const me = await expectOk(app.call<CurrentArtist>('GET /users/me', { token }));
    const others = ZONES.filter((zone) => zone !== me.studio.time_zone);
    const address_one = `${changes} Example Street`;
    const studio = choice % 2 ? { address_one } : { time_zone: others[hours % others.length] };
    // Of the others, only what is undone would be mailed, so that their undone moves show too.
    const tell_clients = choice % 3 > 0 && (undo !== 'never' || artist === artists[0]);
    const keep = hours < 500 ? 'moments' : 'clock_times';
    if (!(await change(artist, 'PATCH /users/me', { studio, tell_clients, keep }))) return;
    // Jobs that run before the undo make mails wait for it.
    await app.runJobs();
    const undone = undo !== 'never' && change(artist, 'POST /users/me/studio-change/undo', {});
    if (!(await undone) && tell_clients) for (const { id } of data) told.add(id);
  }

  async function book(artist: TestArtist, { choice }: Command, slot: object) {
    const { self, username, service } = artist;
    const email = `client-${choice % 9}@example.com`;
    const client = { email, first_name: 'Rosa' };
    const isManaged = self.scheduling_type === 'managed';
    const path = `request/${isManaged ? 'design' : 'service'}?username=${username}`;
    const request = { ...client, service_id: service.id, ...(isManaged ? {} : slot) };
    const made = await (choice % 3 === 0
      ? change(artist, 'POST /appointments/', { client, ...slot })
      : change(artist, `POST /appointments/${path}`, request));
    if (made) appointments.push({ id: made.id, artist, email });
  }

  async function act(command: Command) {
    const { pick, choice, hours, undo, isOfStudio } = command;
    const chosen = appointments[pick % (appointments.length + 4)];
    const artist = chosen?.artist ?? artists[pick % artists.length];
    if (!artist) return;
    if (isOfStudio === 0 && !changed.has(artist)) return changeStudio(artist, command);
    const seen = chosen && (await load(chosen));
    const actions = ACTIONS[seen?.status ?? ''];
    const action = actions?.[choice % actions.length];
    // Beyond all reminders, and within the days that clients can book.
    const slot = toSlot(Math.ceil(Date.now() / HOUR_MS + hours) * HOUR_MS + 8 * DAY_MS);
    if (!seen || !action) return book(artist, command, slot);
    const { id, start } = seen;
    const page = `POST /appointments/confirmation/${id}${action}`;
    const operation = action.startsWith('/') ? page : `PATCH /appointments/${id}`;
    const made = await change(artist, operation, bodyOf(action, slot));
    if (!made || action !== 'time' || start === null) return;
    const startBefore = Date.parse(start) + passedMs;
    const takeBack = () => change(artist, operation, toSlot(startBefore - passedMs));
    if (undo === 'at once') await takeBack();
    if (undo === 'later') undos.push(takeBack);
  }

  /** Makes so many changes, then lets a part of the hour pass. Returns when deadlines were looked at. */
  async function changeFor(count: number) {
    for (const end = changes + count; changes < end; ) {
      const next = commands.shift();
      if (!next) throw new Error('Too many changes were refused');
      await act(next);
    }
    await passTime(app.database, HOUR_MS / PARTS);
    passedMs += HOUR_MS / PARTS;
    const now = Date.now();
    await app.runMinutelyTasks(now);
    await app.runJobs();
    changed.clear();
    for (const takeBack of undos.splice(0)) await takeBack();
    return now;
  }

  return { app, appointments, told, load, changeFor };
}

test('after an hour without a mail server, one mail tells each side what is new, and none what was undone', async () => {
  const smtp = await openSmtpServer();
  onTestFinished(() => smtp[Symbol.asyncDispose]());
  const { app, appointments, told, load, changeFor } = await openStudios(smtp);
  await changeFor(changeCount);
  await changeFor(0);
  told.clear();
  const eventsBefore = new Map<string, number>();
  for (const one of appointments) eventsBefore.set(one.id, (await load(one)).events.length);
  const mailsBefore = smtp.mails.length;
  await smtp.stop();
  for (let part = 0; part < PARTS; part += 1) await changeFor(changeCount / PARTS);
  const lookedAt = await changeFor(0);
  await smtp.start();
  await app.retryFailedJobs();
  const wrong: string[] = [];
  const counts = { due: 0, undone: 0, none: 0 };
  for (const appointment of appointments) {
    const { id, artist, email } = appointment;
    const { status, start, events, user } = await load(appointment);
    // Its deadline has passed since then; the API has whole seconds.
    if (events.some(({ at }) => Date.parse(at) > lookedAt - 1000)) continue;
    const { time_zone: zone, address_one: address } = user.studio;
    const hasTime = start !== null && ['held', 'offered', 'confirmed'].includes(status);
    const when = hasTime ? `${formatShortDay(start, zone)} at ${formatTime(start, zone)}` : '';
    const since = events.slice(eventsBefore.get(id) ?? 0);
    const story = since.map(({ by, what }) => `${by} ${what}`).join();
    for (const side of ['client', 'artist'] as const) {
      const isClient = side === 'client';
      const to = isClient ? email : artist.self.email;
      const link = isClient ? `/confirmation/${id}` : `/studio/appointments?id=${id}`;
      const where = isClient && status !== 'declined' && status !== 'expired' ? address : '';
      const isDue = areNews(side, since) || (isClient && told.has(id));
      const all = smtp.mails.filter(({ text }) => text?.includes(link));
      const own = all.filter((mail) => smtp.mails.indexOf(mail) >= mailsBefore);
      const subjects = own.map(({ subject }) => `${side} ${subject}`);
      const areTrue =
        subjects.every((subject) => SUBJECTS[status]?.test(subject) && subject.includes(when)) &&
        own.every(({ text, envelope }) => text?.includes(where) && envelope.to[0] === to);
      // Throws when calendar files contradict each other.
      const entered = [...addToCalendar(all).values()].map(toRfc3339).join();
      const isEntered = own.length === 0 || entered === (status === 'confirmed' ? start : '');
      counts[isDue ? 'due' : isClient && story.includes('artist moved') ? 'undone' : 'none'] += 1;
      if (own.length !== Number(isDue) || !areTrue || !isEntered)
        wrong.push(`${id} is ${status} ${when} ${entered}, after ${story}: ${isDue} ${subjects}`);
    }
  }
  const sent = smtp.mails.length - mailsBefore;
  console.log(`OUTAGE_SEED=${seed} OUTAGE_CHANGES=${changeCount}:`, { ...counts, sent });
  expect(wrong).toEqual([]);
  expect(counts.due).toBeGreaterThan(0);
}, 600_000);
