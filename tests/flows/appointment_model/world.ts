/** The real API and database of a model-based test, and what must be equal to the model. */
import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import type { Appointment, AppointmentEvent, Confirmation } from '#contract/appointment.ts';
import type { Availability } from '#contract/availability.ts';
import type { ListPage } from '#contract/common.ts';
import type { Design } from '#contract/design.ts';
import { type Mail, type Mailer, MailFailure } from '#server/mail/mailer.ts';
import { addDesignRow } from '#support/app_rows.ts';
import { type ApiResponse, expectOk } from '#support/call_api.ts';
import { PASSWORD, PROOF } from '#support/new_artist.ts';
import { createDailySchedule } from '#support/sample_people.ts';
import type { TestApp } from '#support/test_app.ts';
import { deleteAllRows, passTime } from '#support/time_travel.ts';
import {
  type Answer,
  editionsLeft,
  GRID_MS,
  isListed,
  type Judgement,
  letLapse,
  type ModelAppointment,
  type ModelArtist,
  type ModelService,
  type ModelWorld,
  openToClient,
  STATUSES,
  travel,
  utcDate,
} from './model.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** Starts lie on quarters of an hour, so no step may run while one of them passes. */
const GUARD_MS = 3000;
/** A deadline counts from a moment within the call. */
const TOLERANCE_MS = 20_000;

const CLIENT_MAIL_KINDS = [
  'request_received',
  'hold',
  'offer',
  'booked',
  'moved',
  'declined',
  'cancelled',
  'expired',
  'offer_ended',
];

type ModelHistory = ModelAppointment['history'];

/** A mail server that can be down. */
export interface TestMailServer extends Mailer {
  isDown: boolean;
  /** The ids of the mails that it accepted, in order. */
  readonly acceptedIds: string[];
}

export function createTestMailServer(): TestMailServer {
  const acceptedIds: string[] = [];
  return {
    isDown: false,
    acceptedIds,
    async send({ id }: Mail) {
      if (this.isDown)
        throw new MailFailure('The mail server is down', {
          isPermanent: false,
          mayHaveArrived: false,
        });
      acceptedIds.push(id);
    },
    close() {},
  };
}

export interface RealWorld {
  readonly app: TestApp;
  readonly mailServer: TestMailServer;
  /** Runs a step, then compares what it concerns, and the tables. */
  runStep(
    world: ModelWorld,
    title: string,
    act: (now: number) => Promise<readonly ModelAppointment[]>,
  ): Promise<void>;
  artistOf(world: ModelWorld, index: number): ModelArtist;
  tokenOf(artist: ModelArtist): string;
  /** An idempotency key of this run. */
  key(index: number): string;
  callAsArtist(
    appointment: ModelAppointment,
    method: 'PATCH' | 'DELETE',
    json?: object,
  ): Promise<ApiResponse>;
  findTimeId(appointment: ModelAppointment): Promise<string | undefined>;
  setActive(artist: ModelArtist, isActive: boolean): Promise<void>;
  passTime(milliseconds: number): Promise<void>;
  /** Compares an answer with the model, and applies what the call changes. */
  expectAnswer(response: ApiResponse, judgement: Judgement, success: number): void;
  expectEqual(what: string, actual: unknown, expected: unknown): void;
  /** @returns whether the artist's change was accepted, as it must be while they are logged in */
  expectSetting(response: ApiResponse, artist: ModelArtist, isGone?: boolean): boolean;
  /** After the minutely tasks, each lapse is in the history. */
  expectLapsesStored(world: ModelWorld): Promise<void>;
  compareListedTimes(
    world: ModelWorld,
    artist: ModelArtist,
    service: ModelService,
    day: number,
    now: number,
  ): Promise<void>;
  countSteps(): number;
  /** Compares everything once more, after all mails were sent. */
  finish(world: ModelWorld): Promise<void>;
}

/** The moment at which no start passes for a while. */
async function quietMoment(): Promise<number> {
  for (;;) {
    const now = Date.now();
    const untilQuarter = GRID_MS - (now % GRID_MS);
    if (untilQuarter > GUARD_MS) return now;
    await new Promise((resolve) => setTimeout(resolve, untilQuarter + 1));
  }
}

/** Empties the database, and adds two artists: one whose clients pick times, and one who sets them. */
export async function createWorlds(
  app: TestApp,
  mailServer: TestMailServer,
): Promise<{ model: ModelWorld; real: RealWorld }> {
  await deleteAllRows(app.database);
  mailServer.isDown = false;
  mailServer.acceptedIds.length = 0;
  const tokens = new Map<string, string>();
  const ids = new Map<string, string>();
  const superuser = await app.superuserToken();
  const artists: ModelArtist[] = [];
  for (const kind of ['service', 'managed'] as const) {
    const schedule = {
      ...createDailySchedule('00:00', '24:00'),
      slot_interval_minutes: GRID_MS / MINUTE,
    };
    const artist = await app.newArtist({ scheduling_type: kind, time_zone: 'UTC', schedule });
    const { username, token } = artist;
    tokens.set(username, token);
    ids.set(username, artist.self.id);
    const second = await expectOk(
      app.call<{ id: string }>('POST /services/', { token, json: { name: 'Big', duration: 90 } }),
    );
    const services = [artist.service.id, second.id].map((id, index) => ({
      id,
      minutes: index === 0 ? 60 : 90,
      isAvailable: true,
      isDeleted: false,
    }));
    const limits = [1, 2];
    const designs = await Promise.all(
      limits.map((editions) => addDesignRow(app, artist, { editions })),
    );
    artists.push({
      username,
      kind,
      isActive: true,
      isLoggedIn: true,
      closedDates: [],
      bufferMinutes: 0,
      appointments: [],
      noticeMinutes: 0,
      cancelHours: 48,
      moveHours: null,
      services,
      designs: designs.map(({ id }, index) => ({
        id,
        status: 'available',
        editions: limits[index] ?? null,
        isDeleted: false,
      })),
    });
  }
  const keys = [randomUUID(), randomUUID(), randomUUID()];
  const trace: string[] = [];
  let steps = 0;

  function fail(message: string): never {
    throw new Error(message);
  }

  function expectEqual(what: string, actual: unknown, expected: unknown): void {
    if (isDeepStrictEqual(actual, expected)) return;
    fail(`${what}: the API has ${show(actual)}, the model ${show(expected)}`);
  }

  function tokenOf({ username }: ModelArtist): string {
    return tokens.get(username) ?? '';
  }

  async function compare(world: ModelWorld, appointment: ModelAppointment, now: number) {
    const { id, artist, status, version, time } = appointment;
    const name = `Appointment ${world.appointments.indexOf(appointment)}`;
    // An artist who is logged out sees nothing.
    const token = artist.isLoggedIn ? tokenOf(artist) : null;
    const [{ status: code, body: client }, view, events] = await Promise.all([
      app.call<Confirmation>(`GET /appointments/confirmation/${id}`),
      token === null ? null : app.call<Appointment>(`GET /appointments/${id}`, { token }),
      token === null
        ? null
        : app.call<ListPage<AppointmentEvent>>(`GET /appointments/${id}/history`, { token }),
    ]);
    expectEqual(`${name}, code of the client's view`, code, appointment.isDeleted ? 404 : 200);
    if (appointment.isDeleted) return;
    const shownTime = {
      start: toText(time?.start ?? null),
      end: toText(time && time.end - MINUTE),
    };
    const common = {
      status,
      version,
      ...shownTime,
      confirmed: ['confirmed', 'completed', 'no_show'].includes(status),
      note: status === 'requested' ? null : appointment.note,
    };
    const pick = (view: Confirmation | Appointment) => ({
      status: view.status,
      version: view.version,
      start: view.start,
      end: view.end,
      confirmed: view.confirmed,
      note: view.note,
    });
    expectEqual(`${name}, the client's view`, pick(client), common);
    const can = openToClient(world, appointment, now);
    expectEqual(`${name}, can`, client.can.toSorted(), can.toSorted());
    const isOpen = status === 'held' || status === 'offered';
    const times = client.times.map(({ start, end }) => ({ start, end }));
    expectEqual(`${name}, times`, times, isOpen ? [shownTime] : []);
    expectEqual(`${name}, lapses_at`, client.lapses_at !== null, appointment.deadline !== null);
    const deadline = Date.parse(client.lapses_at ?? '');
    if (appointment.deadline !== null && Math.abs(deadline - appointment.deadline) > TOLERANCE_MS)
      fail(`${name}, lapses_at: ${client.lapses_at}, not ${toText(appointment.deadline)}`);
    const hint = appointment.email.replace(/(?<=^.).*(?=@)/, '•••');
    expectEqual(`${name}, email_hint`, client.email_hint, hint);
    const visible = appointment.history.filter(
      ({ what }) => !['completed', 'no_show', 'reopened'].includes(what),
    );
    expectEqual(
      `${name}, the client's history`,
      client.history.map(({ at: _, ...event }) => event),
      toStoredHistory(visible, client.history.length).map(({ by, what, toStart }) => ({
        by,
        what,
        start: toText(toStart),
      })),
    );
    if (!view || !events) return;
    expectEqual(`${name}, the artist's view`, pick(view.body), common);
    expectEqual(
      `${name}, email`,
      view.body.client.email?.toLowerCase(),
      appointment.email.toLowerCase(),
    );
    const { data } = events.body;
    expectEqual(
      `${name}, the history`,
      data.map(({ at: _, note: __, ...event }) => event),
      toStoredHistory(appointment.history, data.length).map((event) => ({
        by: event.by,
        what: event.what,
        from_status: event.from,
        to_status: event.to,
        from_start: toText(event.fromStart),
        to_start: toText(event.toStart),
      })),
    );
  }

  /** What must always be true of the tables. */
  async function expectInvariants(): Promise<void> {
    const { rows } = await sql<{ problem: string }>`
      SELECT 'two times overlap' AS problem FROM appointment_times a JOIN appointment_times b
        ON a.artist_id = b.artist_id AND a.id < b.id AND a.blocked && b.blocked
        WHERE a.occupies AND b.occupies
      UNION ALL
      SELECT 'the version is not the number of changes' FROM appointments
        WHERE version <> (SELECT count(*) FROM appointment_events
          WHERE appointment_id = appointments.id AND actor <> 'system')
      UNION ALL
      SELECT 'the last event has another status' FROM appointments
        WHERE status <> (SELECT to_status FROM appointment_events
          WHERE appointment_id = appointments.id ORDER BY id DESC LIMIT 1)
      UNION ALL
      SELECT 'the last event has another time' FROM appointments
        LEFT JOIN appointment_times ON appointment_id = appointments.id
        WHERE lower(during) IS DISTINCT FROM (SELECT to_start FROM appointment_events
          WHERE appointment_id = appointments.id ORDER BY id DESC LIMIT 1)
      UNION ALL
      SELECT 'the status does not fit to the reserved time' FROM appointments
        LEFT JOIN appointment_times ON appointment_id = appointments.id
        WHERE (status IN ('held', 'offered', 'confirmed')) <> coalesce(occupies, false)
    `.execute(app.database);
    expectEqual('The tables', rows, []);
  }

  async function compareLists(world: ModelWorld): Promise<void> {
    for (const artist of world.artists.filter(({ isLoggedIn }) => isLoggedIn)) {
      for (const design of artist.designs.filter(({ isDeleted }) => !isDeleted)) {
        const token = tokenOf(artist);
        const { left } = await expectOk(app.call<Design>(`GET /designs/${design.id}`, { token }));
        expectEqual('What is left of a design', left, editionsLeft(world, design));
      }
      const own = world.appointments.filter((other) => other.artist === artist && !other.isDeleted);
      const list = async (query: string) => {
        const path = `GET /appointments/?limit=200${query}`;
        const page = expectOk(app.call<ListPage<Appointment>>(path, { token: tokenOf(artist) }));
        return (await page).data.map(({ id }) => id).toSorted();
      };
      expectEqual('All appointments', await list(''), own.map(({ id }) => id).toSorted());
      for (const status of STATUSES)
        expectEqual(
          `The appointments that are ${status}`,
          await list(`&status=${status}`),
          own
            .filter((other) => other.status === status)
            .map(({ id }) => id)
            .toSorted(),
        );
    }
  }

  const real: RealWorld = {
    app,
    mailServer,
    async runStep(world, title, act) {
      trace.push(title);
      try {
        const now = await quietMoment();
        const touched = await act(now);
        steps += 1;
        // Now and then another one, which must not have changed.
        const position = steps % 3 === 0 ? steps % world.appointments.length : -1;
        const others = world.appointments.filter((_, index) => index === position);
        const compared = [...new Set([...touched, ...others])];
        await Promise.all([
          ...compared.map((appointment) => compare(world, appointment, Date.now())),
          expectInvariants(),
        ]);
      } catch (error) {
        throw describe(error, trace);
      }
    },
    artistOf(world, index) {
      const artist = world.artists[index % world.artists.length];
      return artist ?? fail('The world has no artists');
    },
    countSteps: () => steps,
    tokenOf,
    key: (index) => keys[index % keys.length] ?? '',
    callAsArtist: ({ artist, id }, method, json) =>
      app.call(`${method} /appointments/${id}`, {
        token: tokenOf(artist),
        ...(json && { json }),
      }),
    async findTimeId({ id }) {
      const { body } = await app.call<Partial<Confirmation>>(
        `GET /appointments/confirmation/${id}`,
      );
      return body.times?.[0]?.id;
    },
    async setActive(artist, is_active) {
      const path = `PATCH /users/${ids.get(artist.username)}`;
      await expectOk(app.call(path, { token: superuser, json: { is_active, ...PROOF } }));
      if (!is_active) return;
      const form = { username: `${artist.username}@example.com`, password: PASSWORD };
      const login = app.call<{ access_token: string }>('POST /login/access-token', { form });
      tokens.set(artist.username, (await expectOk(login)).access_token);
    },
    passTime: (milliseconds) => passTime(app.database, milliseconds),
    expectAnswer(response, judgement, success) {
      const answer = toAnswer(response);
      trace.push(`  → ${answer.status} ${answer.detail}`);
      if ('refusals' in judgement) {
        if (judgement.refusals.some((refusal) => isDeepStrictEqual(refusal, answer))) return;
        fail(`Answered ${show(answer)}; by the model: ${show(judgement.refusals)}`);
      }
      expectEqual('The answer', answer, { status: success, detail: '' });
      if ('apply' in judgement) judgement.apply();
    },
    expectEqual,
    expectSetting(response, { isLoggedIn }, isGone = false) {
      const success = [200, 204].includes(response.status) ? response.status : 200;
      const expected = isLoggedIn ? (isGone ? 404 : success) : 401;
      expectEqual('The code of a change of settings', response.status, expected);
      return expected < 300;
    },
    async expectLapsesStored({ appointments }) {
      const { rows } = await sql<{ id: string; status: string }>`
        SELECT id, status FROM appointments
      `.execute(app.database);
      const stored = new Map(rows.map(({ id, status }) => [id, status]));
      for (const { id, isDeleted, status } of appointments)
        if (!isDeleted) expectEqual('The stored status', stored.get(id), status);
    },
    async compareListedTimes(world, artist, service, day, now) {
      const date = utcDate(day);
      const [year, month] = date.split('-').map(Number);
      const path = `GET /services/${service.id}/availability?year=${year}&month=${month}`;
      const { status, body } = await app.call<Availability>(path);
      const isPublic = artist.isActive && service.isAvailable && !service.isDeleted;
      expectEqual('The code of the listed times', status, isPublic ? 200 : 404);
      if (!isPublic) return;
      const midnight = Date.parse(`${date}T00:00:00Z`);
      const expected: string[] = [];
      for (let start = midnight; start < midnight + DAY; start += GRID_MS) {
        const time = { start, end: start + service.minutes * MINUTE };
        if (isListed(world, artist, time, now)) expected.push(toText(start) ?? '');
      }
      const listed = body.data.find((other) => other.date === date)?.windows ?? [];
      expectEqual(
        `The times of ${date}`,
        listed.map(({ start }) => start),
        expected,
      );
    },
    async finish(world) {
      try {
        mailServer.isDown = false;
        const now = await quietMoment();
        await Promise.all(world.appointments.map((other) => compare(world, other, now)));
        await compareLists(world);
        // The mail of a hold waits two minutes for its confirmation.
        await passTime(app.database, GRID_MS);
        travel(world, GRID_MS);
        letLapse(world, Date.now());
        await sendAllMails();
        await real.expectLapsesStored(world);
        await compareMails(world);
      } catch (error) {
        throw describe(error, trace);
      }
    },
  };

  interface SentMail {
    readonly id: string;
    readonly kind: string;
    readonly appointment: string;
    readonly version: number;
  }

  /** The mails about appointments, in the order in which the mail server took them. */
  async function listSentMails(): Promise<readonly SentMail[]> {
    const { rows } = await sql<SentMail>`
      SELECT id, notice->>'kind' AS kind, notice #>> '{appointment,id}' AS appointment,
        (notice #>> '{appointment,version}')::int AS version
      FROM mails WHERE notice ? 'appointment' AND notice->>'kind' <> 'reminder'
    `.execute(app.database);
    const byId = new Map(rows.map((mail) => [mail.id, mail]));
    return mailServer.acceptedIds.flatMap((id) => byId.get(id) ?? []);
  }

  /** Each mail to a client tells of something that happened, and nothing is reported twice. */
  function expectMailsOfEvents(
    name: string,
    history: ModelHistory,
    sent: readonly SentMail[],
  ): void {
    const reported = sent.map(({ kind, version }) => `${kind} ${version}`);
    expectEqual(`${name}, mails sent twice`, reported.length, new Set(reported).size);
    for (const { kind, version } of sent) {
      // A mail that was late tells the facts of the version in which it was sent. What was booked and
      // moved before it could be sent is reported as booked, at the new time.
      const isOfEvent = history.some(
        ({ mail, ...event }) =>
          event.version <= version && (mail === kind || (mail === 'moved' && kind === 'booked')),
      );
      const isVersion = history.some((event) => event.version === version);
      if (!isOfEvent || !isVersion) fail(`${name}: mail ${kind} ${version} of ${show(history)}`);
    }
  }

  /** Mails arrive in the order of the events, and the last one is true when it could be. */
  function expectMailsInOrder(
    name: string,
    history: ModelHistory,
    sent: readonly SentMail[],
  ): void {
    const versions = sent.map(({ version }) => version);
    expectEqual(
      `${name}, the order of ${show(sent.map(({ kind }) => kind))}`,
      versions,
      versions.toSorted((a, b) => a - b),
    );
    const last = history.at(-1);
    if (!last?.mail) return;
    const mail = sent.at(-1);
    if (isUndoneMove(history, mail)) return;
    const accepted = last.mail === 'moved' ? ['moved', 'booked'] : [last.mail];
    if (mail?.version !== last.version || !accepted.includes(mail.kind))
      fail(`${name}: the last mail is ${show(mail)}, the last change ${show(last)}`);
  }

  /** Whether the artist has moved the appointment since this mail, and back, of which nobody is informed. */
  function isUndoneMove(history: ModelHistory, mail: SentMail | undefined): boolean {
    const reported = history.findIndex(({ version }) => version === mail?.version);
    const since = history.slice(reported + 1);
    return (
      reported !== -1 &&
      since.every(({ by, what }) => by === 'artist' && what === 'moved') &&
      history[reported]?.toStart === history.at(-1)?.toStart
    );
  }

  /** A mail may wait for an older one, so that its job comes again. */
  async function sendAllMails(): Promise<void> {
    let waiting: unknown[] = [];
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      await app.runMinutelyTasks();
      await app.retryFailedJobs();
      const { rows } = await sql`
        SELECT notice->>'kind' AS kind, waits_until, failure FROM mails WHERE status = 'queued'
      `.execute(app.database);
      waiting = rows;
      if (waiting.length === 0) return;
    }
    fail(`These mails were never sent: ${show(waiting)}`);
  }

  async function compareMails({ appointments }: ModelWorld): Promise<void> {
    const mails = await listSentMails();
    appointments.forEach(({ id, history, isDeleted }, index) => {
      if (isDeleted) return;
      const name = `Appointment ${index}`;
      const own = mails.filter(({ appointment }) => appointment === id);
      const toClient = own.filter(({ kind }) => CLIENT_MAIL_KINDS.includes(kind));
      expectMailsOfEvents(name, history, toClient);
      expectMailsInOrder(name, history, toClient);
    });
  }

  return { model: { artists, appointments: [] }, real };
}

/** A lapse comes into the history with what happens next, or with the minutely tasks. */
function toStoredHistory(history: ModelHistory, storedLength: number): ModelHistory {
  const isPending = history.at(-1)?.by === 'system' && storedLength < history.length;
  return isPending ? history.slice(0, -1) : history;
}

function toText(instant: number | null): string | null {
  return instant === null ? null : new Date(instant).toISOString().replace(/\.\d+Z/, 'Z');
}

function show(value: unknown): string {
  return JSON.stringify(value);
}

/** The status and the text of an answer: of a 422 the first one, of a success none. */
function toAnswer({ status, body }: ApiResponse): Answer {
  if (status < 300) return { status, detail: '' };
  const detail = body instanceof Object && 'detail' in body ? body.detail : '';
  if (!Array.isArray(detail)) return { status, detail: `${detail}` };
  const [first] = detail;
  return { status, detail: `${first?.msg}` };
}

/** An error with all steps so far, for a report without the rest of the run. */
function describe(error: unknown, trace: readonly string[]): Error {
  const message = error instanceof Error ? error.message : `${error}`;
  return new Error(`${message}\n\nWhat was done:\n${trace.join('\n')}`, { cause: error });
}
