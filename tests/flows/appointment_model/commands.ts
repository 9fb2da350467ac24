/** Commands for fast-check: what clients, artists, the operator, the clock and the mail server do. */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import type { Confirmation } from '#contract/appointment.ts';
import {
  type Action,
  type ArtistStatus,
  GRID_MS,
  isListed,
  isOpen,
  judgeClientAction,
  judgeClientMove,
  judgeConfirmation,
  judgeDeletion,
  judgeDetails,
  judgeEmail,
  judgeEntry,
  judgeRequest,
  judgeSetTime,
  judgeStatus,
  letLapse,
  type ModelAppointment,
  type ModelArtist,
  type ModelWorld,
  type RequestInput,
  type Status,
  travel,
  utcDate,
} from './model.ts';
import type { RealWorld } from './world.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** @returns the appointments that it concerns */
type Act = (
  world: ModelWorld,
  real: RealWorld,
  now: number,
) => Promise<readonly ModelAppointment[]>;

/** One random step. Its name and input are printed when the test fails. */
class Command implements fc.AsyncCommand<ModelWorld, RealWorld> {
  readonly name: string;
  readonly input: object;
  readonly #act: Act;
  readonly #needsAppointment: boolean;

  constructor(name: string, input: object, needsAppointment: boolean, act: Act) {
    this.name = name;
    this.input = input;
    this.#needsAppointment = needsAppointment;
    this.#act = act;
  }

  check({ appointments }: ModelWorld): boolean {
    return !this.#needsAppointment || appointments.length > 0;
  }

  run(world: ModelWorld, real: RealWorld): Promise<void> {
    return real.runStep(world, `${this}`, (now) => {
      letLapse(world, now);
      return this.#act(world, real, now);
    });
  }

  toString(): string {
    return `${this.name} ${JSON.stringify(this.input)}`;
  }
}

/** A command about the artist or the world. */
function command<T extends object>(
  name: string,
  inputs: fc.Arbitrary<T>,
  act: (
    input: T,
    world: ModelWorld,
    real: RealWorld,
    now: number,
  ) => Promise<readonly ModelAppointment[]>,
): fc.Arbitrary<Command> {
  return inputs.map(
    (input) => new Command(name, input, false, (world, real, now) => act(input, world, real, now)),
  );
}

/** A command about an appointment, mostly one where the action is possible, and in this status. */
function commandOn<T extends object>(
  name: string,
  action: Action | null,
  inputs: fc.Arbitrary<T>,
  act: (
    input: T,
    appointment: ModelAppointment,
    world: ModelWorld,
    real: RealWorld,
    now: number,
  ) => Promise<void>,
  status: Status | null = null,
): fc.Arbitrary<Command> {
  const target = fc.record({ pick: fc.nat(7), isAny: chance(1 / 4) });
  return fc.tuple(target, inputs).map(
    ([{ pick, isAny }, input]) =>
      new Command(name, { pick, isAny, ...input }, true, async (world, real, now) => {
        const recent = world.appointments.slice(-8);
        const open = recent.filter(
          (appointment) =>
            (action === null || isOpen(action, appointment, now)) &&
            (status === null || appointment.status === status),
        );
        const candidates = isAny || open.length === 0 ? recent : open;
        const appointment = candidates[pick % candidates.length];
        if (!appointment) return [];
        await act(input, appointment, world, real, now);
        return [appointment];
      }),
  );
}

function chance(probability: number): fc.Arbitrary<boolean> {
  return fc.integer({ min: 1, max: 100 }).map((number) => number <= probability * 100);
}

/** Times near to now, where lapses and notices matter, and few others, so that many overlap. */
const timeInput = fc.oneof(
  fc.record({ days: fc.constant(0), quarters: fc.integer({ min: 0, max: 12 }) }),
  fc.record({ days: fc.integer({ min: 1, max: 4 }), quarters: fc.integer({ min: 0, max: 8 }) }),
);
type TimeInput = { readonly days: number; readonly quarters: number };

function startOf({ days, quarters }: TimeInput, now: number): number {
  return Math.ceil(now / GRID_MS) * GRID_MS + days * DAY + quarters * GRID_MS;
}

const artistInput = fc.nat(1);
const emailInput = fc.constantFrom('rosa@example.com', 'otto@example.com', 'Rosa@example.com');
const noteInput = fc.option(fc.constantFrom('See you.', 'I am away.'), { freq: 2 });
/** Whether the caller names the version they saw, and whether that is an old one. */
const versionInput = fc.constantFrom('none', 'none', 'present', 'present', 'stale');
type VersionInput = 'none' | 'present' | 'stale';

function versionOf(input: VersionInput, { version }: ModelAppointment): { version?: number } {
  if (input === 'none') return {};
  return { version: input === 'present' ? version : version - 1 };
}

const requestInput = fc.record({
  artist: artistInput,
  time: timeInput,
  service: fc.nat(1),
  design: fc.option(fc.nat(1), { freq: 2 }),
  email: emailInput,
  notes: fc.constantFrom('A swallow.', 'A rose.'),
  /** Few keys, so that many are repeated. */
  key: fc.option(fc.nat(2), { freq: 3 }),
  /** The recent appointment that it replaces. */
  replaces: fc.option(fc.nat(3), { freq: 2 }),
  /** Minutes by which the end is wrong. */
  wrongEnd: fc.constantFrom(0, 0, 0, 0, 0, 15),
});
type Input<A> = A extends fc.Arbitrary<infer T> ? T : never;

function toRequest(
  input: Input<typeof requestInput>,
  artist: ModelArtist,
  { appointments }: ModelWorld,
  real: RealWorld,
  now: number,
): RequestInput {
  const start = startOf(input.time, now);
  const service = artist.services[input.service] ?? null;
  const { email, notes } = input;
  return {
    start,
    end: start + ((service?.minutes ?? 60) + input.wrongEnd) * MINUTE,
    service,
    design: input.design === null ? null : (artist.designs[input.design] ?? null),
    email,
    notes,
    key: input.key === null ? null : real.key(input.key),
    replaces: input.replaces === null ? null : (appointments.at(-1 - input.replaces) ?? null),
  };
}

/** A request for a time of a service; without a service, one whose time the artist sets. */
function sendRequest(
  { app }: RealWorld,
  { username }: ModelArtist,
  { start, end, service, design, email, notes, key, replaces }: RequestInput,
) {
  const path = `POST /appointments/request/${service ? 'service' : 'design'}`;
  return app.call<Confirmation>(`${path}?username=${username}`, {
    json: {
      email,
      first_name: 'Rosa',
      customer_notes: notes,
      design_id: design?.id ?? null,
      replaces: replaces?.id ?? null,
      ...(service && { service_id: service.id, ...toSlot({ start, end }) }),
    },
    ...(key !== null && { headers: { 'Idempotency-Key': key } }),
  });
}

async function request(
  input: Input<typeof requestInput>,
  world: ModelWorld,
  real: RealWorld,
  now: number,
  isOfService: boolean,
): Promise<readonly ModelAppointment[]> {
  const artist = real.artistOf(world, input.artist);
  const wanted = toRequest(input, artist, world, real, now);
  const judged = { ...wanted, service: isOfService ? wanted.service : null };
  const response = await sendRequest(real, artist, judged);
  const judgement = judgeRequest(world, artist, judged, now);
  real.expectAnswer(response, judgement, 201);
  if ('apply' in judgement) nameAdded(world, response.body.id);
  if ('stands' in judgement) {
    real.expectEqual('id', response.body.id, judgement.stands.id);
    real.expectEqual(
      'differs_from_request',
      response.body.differs_from_request ?? false,
      judgement.isEdited ?? false,
    );
  }
  const { replaces } = wanted;
  const { nearest = [] } = toRefusalBody(response.body);
  for (const slot of nearest) {
    const time = { start: Date.parse(slot.start), end: Date.parse(slot.end) + MINUTE };
    const isNear = isListed(world, artist, time, now, replaces);
    real.expectEqual('Whether a nearest time is listed', true, isNear);
  }
  return [...world.appointments.slice(-1), ...(replaces ? [replaces] : [])];
}

/** A refused time is answered with the nearest free ones. */
function toRefusalBody(body: object): { nearest?: readonly { start: string; end: string }[] } {
  return body;
}

function nameAdded({ appointments }: ModelWorld, id: string): void {
  const added = appointments.at(-1);
  if (added) added.id = id;
}

/** In the API an end is the last minute. */
function toSlot({ start, end }: { readonly start: number; readonly end: number }) {
  return { start: toText(start), end: toText(end - MINUTE) };
}

function toText(instant: number): string {
  return new Date(instant).toISOString().replace('.000Z', 'Z');
}

function confirmationPath({ id }: ModelAppointment, action = ''): string {
  return `POST /appointments/confirmation/${id}${action}`;
}

function clientConfirms(status: Status | null): fc.Arbitrary<Command> {
  const input = fc.record({
    version: versionInput,
    time: fc.constantFrom('none', 'none', 'own', 'foreign'),
  });
  return commandOn(
    'client confirms',
    'confirm',
    input,
    async (input, appointment, world, real, now) => {
      const { version } = versionOf(input.version, appointment);
      const own = input.time === 'own' ? await real.findTimeId(appointment) : undefined;
      const time_id = input.time === 'foreign' ? randomUUID() : own;
      const json = { ...(version !== undefined && { version }), ...(time_id && { time_id }) };
      const hasBody = Object.keys(json).length > 0;
      const path = confirmationPath(appointment);
      const response = await real.app.call(path, hasBody ? { json } : {});
      const seen = { ...json, hasForeignTime: input.time === 'foreign' };
      real.expectAnswer(response, judgeConfirmation(world, appointment, seen, now), 200);
    },
    status,
  );
}

const clientCommands = [
  command('client picks a time', requestInput, (input, world, real, now) =>
    request(input, world, real, now, true),
  ),
  command('client picks a time', requestInput, (input, world, real, now) =>
    request({ ...input, artist: 0, key: null, wrongEnd: 0 }, world, real, now, true),
  ),
  command('client requests', requestInput, (input, world, real, now) =>
    request({ ...input, artist: input.key === null ? 1 : input.artist }, world, real, now, false),
  ),
  command('two clients pick one time at once', requestInput, async (input, world, real, now) => {
    const artist = real.artistOf(world, 0);
    const wanted = toRequest({ ...input, wrongEnd: 0 }, artist, world, real, now);
    const requests = ['rosa@example.com', 'otto@example.com'].map((email) => ({
      ...wanted,
      email,
      key: null,
      replaces: null,
    }));
    const answered = await Promise.all(
      requests.map(async (asked) => ({ asked, response: await sendRequest(real, artist, asked) })),
    );
    // At most one is accepted: judge it first, as the database did.
    for (const { asked, response } of answered.toSorted(
      (a, b) => a.response.status - b.response.status,
    )) {
      const judgement = judgeRequest(world, artist, asked, now);
      real.expectAnswer(response, judgement, 201);
      if ('apply' in judgement) nameAdded(world, response.body.id);
    }
    return world.appointments.slice(-2);
  }),
  ...([null, 'offered', 'expired'] as const).map((status) => clientConfirms(status)),
  commandOn('client releases', 'release', fc.record({}), async (_, appointment, __, real, now) => {
    const response = await real.app.call(confirmationPath(appointment, '/release'));
    real.expectAnswer(response, judgeClientAction(appointment, 'release', undefined, now), 200);
  }),
  commandOn(
    'client declines',
    'decline',
    fc.record({ note: noteInput, version: versionInput }),
    async ({ note, ...input }, appointment, _, real, now) => {
      const { version } = versionOf(input.version, appointment);
      const json = { version, ...(note !== null && { note }) };
      const response = await real.app.call(confirmationPath(appointment, '/decline'), { json });
      real.expectAnswer(response, judgeClientAction(appointment, 'decline', version, now), 200);
    },
  ),
  commandOn(
    'client cancels',
    'cancel',
    fc.record({ version: versionInput }),
    async (input, appointment, _, real, now) => {
      const json = versionOf(input.version, appointment);
      const response = await real.app.call(confirmationPath(appointment, '/cancel'), { json });
      const judgement = judgeClientAction(appointment, 'cancel', json.version, now);
      real.expectAnswer(response, judgement, 200);
    },
  ),
  commandOn(
    'client moves',
    'move',
    fc.record({
      version: versionInput,
      time: timeInput,
      isSame: chance(1 / 6),
      wrongEnd: fc.constantFrom(0, 0, 0, 0, 15),
    }),
    async ({ time, isSame, wrongEnd, ...input }, appointment, world, real, now) => {
      const isSameTime = isSame && appointment.time;
      const start = isSameTime ? isSameTime.start : startOf(time, now);
      const length = (appointment.service?.minutes ?? 60) * MINUTE;
      const end = isSameTime ? isSameTime.end : start + length + wrongEnd * MINUTE;
      const version = versionOf(input.version, appointment);
      const json = { ...toSlot({ start, end }), ...version };
      const response = await real.app.call(confirmationPath(appointment, '/move'), { json });
      const judgement = judgeClientMove(world, appointment, { start, end, ...version }, now);
      real.expectAnswer(response, judgement, 200);
    },
  ),
  commandOn(
    'client corrects the email',
    'change_email',
    fc.record({ email: emailInput }),
    async ({ email }, appointment, _, real, now) => {
      const path = confirmationPath(appointment, '/email');
      const response = await real.app.call(path, { json: { email } });
      real.expectAnswer(response, judgeEmail(appointment, email, now), 200);
    },
  ),
];

function setStatus(name: string, status: ArtistStatus): fc.Arbitrary<Command> {
  const input = fc.record({ version: versionInput, note: noteInput, keeps: chance(1 / 4) });
  return commandOn(name, status, input, async (given, appointment, world, real, now) => {
    const takesNote = status === 'declined' || status === 'cancelled';
    const note = takesNote ? given.note : null;
    const version = versionOf(given.version, appointment);
    const keepsEdition = status === 'cancelled' && given.keeps;
    const json = {
      status,
      ...version,
      ...(note !== null && { note }),
      ...(keepsEdition && { keep_edition: true }),
    };
    const response = await real.callAsArtist(appointment, 'PATCH', json);
    const change = { note, keepsEdition, ...version };
    const judgement = judgeStatus(world, appointment, status, change, now);
    real.expectAnswer(response, judgement, 200);
  });
}

function artistSetsTime(status: Status | null): fc.Arbitrary<Command> {
  return commandOn(
    'artist sets a time',
    'set_time',
    fc.record({
      time: timeInput,
      minutes: fc.constantFrom(30, 60, 60, 90),
      isSame: chance(1 / 6),
      isBack: chance(1 / 4),
      isPast: chance(1 / 6),
      note: fc.option(fc.constantFrom('See you.', 'I am away.', ''), { freq: 2 }),
      version: versionInput,
    }),
    async (input, appointment, world, real, now) => {
      const { isSame, isBack, isPast, note } = input;
      const other = startOf(input.time, now) - (isPast ? DAY : 0);
      const before = isBack ? appointment.history.at(-1)?.fromStart : null;
      const picked = before ?? other;
      const start = isSame && appointment.time ? appointment.time.start : picked;
      const length = input.minutes * MINUTE;
      const end = isSame && appointment.time ? appointment.time.end : start + length;
      const version = versionOf(input.version, appointment);
      const json = { ...toSlot({ start, end }), ...version, ...(note !== null && { note }) };
      const response = await real.callAsArtist(appointment, 'PATCH', json);
      const judgement = judgeSetTime(world, appointment, { start, end, note, ...version }, now);
      real.expectAnswer(response, judgement, 200);
    },
    status,
  );
}

const artistCommands = [
  command('artist enters', requestInput, async (input, world, real, now) => {
    const artist = real.artistOf(world, input.artist);
    const wanted = toRequest(input, artist, world, real, now);
    // Also what has begun, and without a service.
    const start = wanted.start - (input.wrongEnd > 0 ? 2 * GRID_MS : 0);
    const service = input.key === 0 ? null : wanted.service;
    const entry = { ...wanted, start, service, key: null };
    const response = await real.app.call<{ id: string }>('POST /appointments/', {
      token: real.tokenOf(artist),
      json: {
        client: { first_name: 'Rosa', email: entry.email },
        service_id: service?.id ?? null,
        design_id: entry.design?.id ?? null,
        ...toSlot(entry),
        customer_notes: entry.notes,
      },
    });
    const judgement = judgeEntry(world, artist, entry, now);
    real.expectAnswer(response, judgement, 201);
    if ('apply' in judgement) nameAdded(world, response.body.id);
    return world.appointments.slice(-1);
  }),
  ...([null, 'requested', 'requested'] as const).map((status) => artistSetsTime(status)),
  commandOn(
    'artist edits the details',
    null,
    fc.record({
      design: fc.option(fc.nat(1), { freq: 3 }),
      note: noteInput,
      version: versionInput,
    }),
    async (input, appointment, world, real) => {
      const { note } = input;
      const { designs } = appointment.artist;
      const design = input.design === null ? null : (designs[input.design] ?? null);
      const version = versionOf(input.version, appointment);
      const json = { design_id: design?.id ?? null, ...version, ...(note !== null && { note }) };
      const response = await real.callAsArtist(appointment, 'PATCH', json);
      real.expectAnswer(
        response,
        judgeDetails(world, appointment, { design, note, ...version }),
        200,
      );
    },
  ),
  setStatus('artist declines', 'declined'),
  setStatus('artist cancels', 'cancelled'),
  setStatus('artist completes', 'completed'),
  setStatus('artist marks a no-show', 'no_show'),
  setStatus('artist reopens', 'confirmed'),
  commandOn('artist deletes', null, fc.record({}), async (_, appointment, __, real) => {
    const response = await real.callAsArtist(appointment, 'DELETE');
    real.expectAnswer(response, judgeDeletion(appointment), 204);
  }),
];

const settingCommands = [
  command(
    'artist changes the schedule',
    fc.record({
      artist: artistInput,
      closedDay: fc.option(fc.nat(4), { freq: 3 }),
      buffer_minutes: fc.constantFrom(0, 0, 15, 30),
      minimum_notice_minutes: fc.constantFrom(0, 0, 30, 1440),
      client_cancel_notice_hours: fc.constantFrom(null, 0, 0, 24, 48),
      client_move_notice_hours: fc.constantFrom(null, 0, 0, 24),
    }),
    async ({ artist: index, closedDay, ...schedule }, world, real, now) => {
      const artist = real.artistOf(world, index);
      const closed = closedDay === null ? [] : [utcDate(now + closedDay * DAY)];
      const exceptions = closed.map((date) => ({ date, windows: [] }));
      // Stores the lapses, which lengthen buffers to the present length.
      await real.app.runMinutelyTasks();
      const response = await real.app.call('PATCH /users/me/schedule', {
        token: real.tokenOf(artist),
        json: { ...schedule, exceptions },
      });
      if (!real.expectSetting(response, artist)) return [];
      artist.closedDates = closed;
      artist.bufferMinutes = schedule.buffer_minutes;
      artist.noticeMinutes = schedule.minimum_notice_minutes;
      artist.cancelHours = schedule.client_cancel_notice_hours;
      artist.moveHours = schedule.client_move_notice_hours;
      return [];
    },
  ),
  command(
    'artist changes a service',
    fc.record({
      artist: artistInput,
      service: fc.nat(1),
      is_available: fc.constantFrom(true, true, false),
      duration: fc.constantFrom(30, 60, 60, 90),
      isDeletion: chance(1 / 25),
    }),
    async ({ artist: index, service: position, isDeletion, ...changes }, world, real) => {
      const artist = real.artistOf(world, index);
      const service = artist.services[position];
      if (!service) return [];
      const method = isDeletion ? 'DELETE' : 'PATCH';
      const response = await real.app.call(`${method} /services/${service.id}`, {
        token: real.tokenOf(artist),
        ...(!isDeletion && { json: changes }),
      });
      if (!real.expectSetting(response, artist, service.isDeleted)) return [];
      service.isDeleted = isDeletion;
      if (isDeletion) return [];
      service.isAvailable = changes.is_available;
      service.minutes = changes.duration;
      return [];
    },
  ),
  command(
    'artist changes a design',
    fc.record({
      artist: artistInput,
      design: fc.nat(1),
      status: fc.constantFrom('available', 'available', 'available', 'claimed', 'hidden'),
      editions: fc.constantFrom(null, 1, 1, 2),
      isDeletion: chance(1 / 25),
    }),
    async ({ artist: index, design: position, status, editions, isDeletion }, world, real) => {
      const artist = real.artistOf(world, index);
      const design = artist.designs[position];
      if (!design) return [];
      const method = isDeletion ? 'DELETE' : 'PATCH';
      const response = await real.app.call(`${method} /designs/${design.id}`, {
        token: real.tokenOf(artist),
        ...(!isDeletion && { json: { status, editions } }),
      });
      if (!real.expectSetting(response, artist, design.isDeleted)) return [];
      design.isDeleted = isDeletion;
      if (isDeletion) return [];
      design.status = status;
      design.editions = editions;
      return [];
    },
  ),
  command(
    'superuser changes an account',
    fc.record({ artist: artistInput, is_active: fc.constantFrom(true, true, false) }),
    async ({ artist: index, is_active }, world, real) => {
      const artist = real.artistOf(world, index);
      await real.setActive(artist, is_active);
      artist.isActive = is_active;
      artist.isLoggedIn = is_active;
      return [];
    },
  ),
];

const worldCommands = [
  command(
    'time passes',
    fc.record({ quarters: fc.constantFrom(1, 1, 2, 2, 4, 8, 96, 288) }),
    async ({ quarters }, world, real) => {
      const milliseconds = quarters * GRID_MS;
      await real.passTime(milliseconds);
      travel(world, milliseconds);
      letLapse(world, Date.now());
      return [];
    },
  ),
  command('the minutely tasks run', fc.record({}), async (_, world, real) => {
    await real.app.runMinutelyTasks();
    await real.expectLapsesStored(world);
    return [];
  }),
  command('mail server', fc.record({ isDown: fc.boolean() }), async ({ isDown }, _, real) => {
    real.mailServer.isDown = isDown;
    return [];
  }),
  command('mails are sent', fc.record({}), async (_, __, real) => {
    await real.app.retryFailedJobs();
    return [];
  }),
  command(
    'client looks for times',
    fc.record({ artist: artistInput, service: fc.nat(1), days: fc.nat(4) }),
    async ({ artist: index, service: position, days }, world, real, now) => {
      const artist = real.artistOf(world, index);
      const service = artist.services[position];
      if (service) await real.compareListedTimes(world, artist, service, now + days * DAY, now);
      return [];
    },
  ),
];

/** Sequences of commands; the actions of clients and artists, and time, are the most frequent. */
export function appointmentCommands(maxCommands: number) {
  const actions = [...clientCommands, ...artistCommands];
  const [time, ...others] = worldCommands;
  return fc.commands(
    [
      ...actions,
      ...actions,
      ...settingCommands,
      ...others,
      ...(time ? [time, time, time, time] : []),
    ],
    { maxCommands, size: 'max' },
  );
}
