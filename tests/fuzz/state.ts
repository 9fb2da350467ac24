/** What the run knows about the server: artists, the ids of their objects, free times and tokens. */
import { randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import PostalMime from 'postal-mime';
import * as z from 'zod';
import type { Database } from '#server/database/connect.ts';
import { type CallOptions, callApi, expectOk } from '#support/call_api.ts';
import { createSignup, PASSWORD } from '#support/new_artist.ts';
import { addPasskeyRow } from '#support/passkey_device.ts';
import { createMultipart, createPicture } from '#support/pictures.ts';
import { createDailySchedule } from '#support/sample_people.ts';
import type { Reference } from './values.ts';

interface FreeTime {
  readonly service: string;
  readonly start: string;
  readonly end: string;
}

/** An artist of the run, who may be gone. */
export interface FuzzArtist {
  readonly id: string;
  /** In all that only the artist and their client may read. */
  readonly marker: string;
  email: string;
  username: string;
  token: string;
  /** Ids by kind, the newest last. */
  readonly ids: Map<string, string[]>;
  freeTimes: readonly FreeTime[];
  /** Tokens whose login has ended. */
  readonly endedTokens: string[];
  isGone: boolean;
}

export type FuzzState = Awaited<ReturnType<typeof openState>>;

const OPENING_HOURS = createDailySchedule('08:00', '20:00');
const LIVING_ARTISTS = 5;
/** Of a new artist. */
const FIRST_APPOINTMENTS = 4;
/** Holds must live long enough to be confirmed. */
const PASS_TIME_EVERY = 4;
/** Kept of each kind. */
const MAX_IDS = 40;
const UNKNOWN_ID = 'f3b6f0f4-8b7e-4a2c-8a53-0d4b2b6a9d10';
/** The links of mails, and the kinds of their tokens. */
const MAIL_LINKS =
  /\/(reset-password|prove-email|undo-email-change|stop-mail|confirmation\/[-\w]+)\?(?:mail_)?token=([-\w.%]+)/g;
const APPOINTMENT_PAGE = 'confirmation/';
const TOKEN_KINDS: Readonly<Record<string, string>> = {
  'reset-password': 'reset_token',
  'prove-email': 'prove_token',
  'undo-email-change': 'undo_token',
  'stop-mail': 'stop_token',
};

const Ids = z.object({ id: z.string() });
const Account = z.object({ id: z.string(), email: z.string(), username: z.string() });
const Token = z.object({ access_token: z.string() });
const ServiceList = z.object({ data: z.array(Ids) });
const Availability = z.object({
  data: z.array(z.object({ windows: z.array(z.object({ start: z.string(), end: z.string() })) })),
});

/**
 * Creates the first artists and a superuser.
 * @param outbox the folder in which the server stores mails
 */
export async function openState(origin: string, database: Database, outbox: string) {
  const artists: FuzzArtist[] = [];
  const deleted = new Map<string, string[]>();
  const deletedIds = new Set<string>();
  const owners = new Map<string, FuzzArtist>();
  const versions = new Map<string, number>();
  const tokens = new Map<string, string[]>();
  /** By the id of the appointment. */
  const mailTokens = new Map<string, string>();
  const readMails = new Set<string>();
  const picture = await createPicture();
  let superuser: FuzzArtist | undefined;
  /** The ids of others who became superusers. */
  const promoted = new Set<string>();
  let tended = 0;

  const call = (operation: string, options?: CallOptions) =>
    callApi(fetch, origin, operation, options);
  const ok = async <T>(schema: z.ZodType<T>, operation: string, options?: CallOptions) =>
    schema.parse(await expectOk(call(operation, options)));

  async function logIn(email: string): Promise<string | undefined> {
    const { body } = await call('POST /login/access-token', {
      form: { username: email, password: PASSWORD },
    });
    return Token.safeParse(body).data?.access_token;
  }

  async function createArtist(type: 'service' | 'managed'): Promise<FuzzArtist> {
    const name = `fuzz-${artists.length}-${randomBytes(3).toString('hex')}`;
    const named = { email: `${name}@fuzz.example`, full_name: 'An Artist', username: name };
    const account = await ok(Account, 'POST /users/signup', { json: createSignup(named) });
    await database
      .updateTable('artists')
      .set({ email_proven_at: new Date() })
      .where('id', '=', account.id)
      .execute();
    const token = (await logIn(account.email)) ?? '';
    const artist: FuzzArtist = {
      ...account,
      token,
      marker: `zq${artists.length}x${randomBytes(5).toString('hex')}zq`,
      ids: new Map(),
      freeTimes: [],
      endedTokens: [],
      isGone: false,
    };
    artists.push(artist);
    owners.set(artist.id, artist);
    await ok(Account, 'PATCH /users/me', { token, json: { scheduling_type: type } });
    await ok(Account, 'PATCH /users/me/schedule', { token, json: OPENING_HOURS });
    for (const duration of [60, 150])
      addId(
        'service_id',
        artist,
        await newId('POST /services', token, { json: { name: 'Flash', duration } }),
      );
    for (const status of ['available', 'hidden']) {
      const multipart = createMultipart([picture], { name: 'Swallow', description: '' });
      const design = await newId('POST /designs', token, { multipart });
      await call(`PATCH /designs/${design}`, { token, json: { status } });
      addId('design_id', artist, design);
    }
    const { marker, username } = artist;
    const message = { name: 'Rosa', email: 'client-1@fuzz.example', message: `Hello ${marker}` };
    addId(
      'message_id',
      artist,
      await newId(`POST /users/artist/${username}/contact`, token, { json: message }),
    );
    addId('passkey_id', artist, (await addPasskeyRow(database, artist.id)).id);
    await addAlarm(artist);
    await findFreeTimes(artist);
    for (let nth = 0; nth < FIRST_APPOINTMENTS; nth += 1)
      addId('appt_id', artist, await request(artist, type, nth));
    return artist;
  }

  /** Requests an appointment as a client. */
  function request(
    { username, marker, freeTimes }: FuzzArtist,
    type: 'service' | 'managed',
    nth: number,
  ): Promise<string> {
    const form = { email: `client-${nth}@fuzz.example`, customer_notes: marker };
    const query = `?username=${username}`;
    if (type === 'managed')
      return newId(`POST /appointments/request/design${query}`, '', { json: form });
    const { service, start, end } = freeTimes[10 * nth] ?? {};
    const json = { ...form, service_id: service, start, end };
    return newId(`POST /appointments/request/service${query}`, '', { json });
  }

  async function newId(operation: string, token: string, options: CallOptions): Promise<string> {
    return (await ok(Ids, operation, { token, ...options })).id;
  }

  async function addAlarm(artist: FuzzArtist): Promise<void> {
    const { id } = await database
      .insertInto('booking_alarms')
      .values({ artist_id: artist.id, since: new Date(), until: new Date(Date.now() + 60_000) })
      .returning('id')
      .executeTakeFirstOrThrow();
    addId('alarm_id', artist, id);
  }

  /** Opens the studio again, if earlier calls closed it. */
  async function findFreeTimes(artist: FuzzArtist): Promise<void> {
    artist.freeTimes = await listFreeTimes(artist);
    if (artist.freeTimes.length > 0) return;
    const { token } = artist;
    await call('PATCH /users/me', { token, json: { scheduling_type: 'service' } });
    await call('PATCH /users/me/schedule', { token, json: OPENING_HOURS });
    await call('PATCH /users/me/booking_range', { token, json: { kind: 'rolling', days: 90 } });
    const service = await call('POST /services', { token, json: { name: 'Flash', duration: 60 } });
    const id = Ids.safeParse(service.body).data?.id;
    if (id !== undefined) addId('service_id', artist, id);
    artist.freeTimes = await listFreeTimes(artist);
  }

  async function listFreeTimes(artist: FuzzArtist): Promise<FreeTime[]> {
    const { body } = await call('GET /services', { token: artist.token });
    const services = ServiceList.safeParse(body).data?.data ?? [];
    const { year, month } = monthAhead(1);
    const found = await Promise.all(
      services.slice(0, 3).map(async ({ id }) => {
        const path = `GET /services/${id}/availability?year=${year}&month=${month}`;
        const days = Availability.safeParse((await call(path)).body).data?.data ?? [];
        const windows = days.flatMap((day) => day.windows);
        return windows.map(({ start, end }) => ({ service: id, start, end }));
      }),
    );
    return found.flat();
  }

  function addId(kind: string, artist: FuzzArtist, id: string): void {
    const known = artist.ids.get(kind) ?? [];
    if (known.includes(id)) return;
    artist.ids.set(kind, [...known, id].slice(-MAX_IDS));
    owners.set(id, artist);
  }

  /** One of the artists who are not gone. */
  const living = (pick: number): FuzzArtist => {
    const found = artists.filter(({ isGone }) => !isGone);
    const artist = found[pick % found.length];
    if (!artist) throw new Error('All artists are gone');
    return artist;
  };

  /** The value of a reference in a call to this artist. */
  function lookUp(
    { kind, whose, pick }: Reference,
    target: FuzzArtist,
    appointmentId: string,
  ): string | number {
    if (kind === 'year') return monthAhead(pick % 3).year;
    if (kind === 'month') return monthAhead(pick % 3).month;
    if (kind === 'version')
      return Math.max(0, (versions.get(appointmentId) ?? 1) - (pick % 5 === 0 ? 1 : 0));
    const ownToken = kind === 'mail_token' && whose === 'target' && mailTokens.get(appointmentId);
    if (ownToken) return ownToken;
    const token = tokens.get(kind);
    if (kind.endsWith('_token') || kind === 'cursor')
      return token?.[pick % token.length] ?? 'made-up';
    const gone = artists.filter(({ isGone }) => isGone);
    const others = artists.filter((artist) => artist !== target && !artist.isGone);
    const artist =
      whose === 'target'
        ? target
        : ((whose === 'other' ? others : gone)[
            pick % Math.max(1, whose === 'other' ? others.length : gone.length)
          ] ?? target);
    if (kind === 'username') return artist.username;
    if (kind === 'email') return artist.email;
    if (kind === 'user_id' || kind === 'artist_id') return artist.id;
    if (kind.startsWith('slot_')) {
      const time = target.freeTimes[pick % Math.max(1, target.freeTimes.length)];
      if (kind === 'slot_service') return time?.service ?? UNKNOWN_ID;
      return (kind === 'slot_start' ? time?.start : time?.end) ?? '2030-06-01T10:00:00Z';
    }
    const ids = whose === 'deleted' ? deleted.get(kind) : artist.ids.get(kind);
    // Mostly the newest, so that calls meet.
    return ids?.at(-1 - (pick % Math.min(ids.length, pick % 3 === 0 ? MAX_IDS : 6))) ?? UNKNOWN_ID;
  }

  async function readNewMails(): Promise<void> {
    const names = (await readdir(outbox).catch(() => [])).filter(
      (name) => name.endsWith('.eml') && !readMails.has(name),
    );
    for (const name of names) {
      readMails.add(name);
      const source = await readFile(join(outbox, name)).catch(() => undefined);
      if (!source) continue;
      const { text = '', headers } = await PostalMime.parse(source);
      const links = `${text} ${headers.map(({ value }) => value).join(' ')}`;
      for (const [, page = '', value = ''] of links.matchAll(MAIL_LINKS)) {
        const token = decodeURIComponent(value);
        addToken(TOKEN_KINDS[page] ?? 'mail_token', token);
        if (page.startsWith(APPOINTMENT_PAGE))
          mailTokens.set(page.slice(APPOINTMENT_PAGE.length), token);
      }
    }
  }

  function addToken(kind: string, token: string): void {
    tokens.set(kind, [...(tokens.get(kind) ?? []), token].slice(-MAX_IDS));
  }

  /** Lets the deadline of a hold or an offer pass, and an appointment begin. */
  async function passTime(): Promise<void> {
    const now = Date.now();
    await database
      .updateTable('appointment_times')
      .set({ expires_at: new Date(now - 60_000) })
      .where('id', '=', (query) =>
        query
          .selectFrom('appointment_times as pending')
          .select('pending.id')
          .where('pending.occupies', '=', true)
          .where('pending.expires_at', '>', new Date(now))
          .limit(1),
      )
      .execute();
    const began = `[${new Date(now - 1_800_000).toISOString()},${new Date(now + 60_000).toISOString()})`;
    await database
      .updateTable('appointment_times')
      .set({ during: began, blocked: began })
      .where('id', '=', (query) =>
        query
          .selectFrom('appointment_times as booked')
          .innerJoin('appointments', 'appointments.id', 'booked.appointment_id')
          .select('booked.id')
          .where('status', '=', 'confirmed')
          .limit(1),
      )
      .execute()
      // Another appointment of the artist has this time.
      .catch(() => undefined);
  }

  /** Jobs and pages change versions, too. */
  async function readVersions(): Promise<void> {
    const rows = await database.selectFrom('appointments').select(['id', 'version']).execute();
    for (const { id, version } of rows) versions.set(id, version);
  }

  const state = {
    artists: artists as readonly FuzzArtist[],
    superuser: () => superuser ?? living(0),
    isSuperuser: (artist: FuzzArtist) => artist === superuser || promoted.has(artist.id),
    /** A superuser has promoted or demoted an artist. */
    setSuperuser(artistId: string, isSuperuser: boolean) {
      if (isSuperuser) promoted.add(artistId);
      else promoted.delete(artistId);
    },
    living,
    lookUp,
    ownerOf: (id: string) => owners.get(id),
    /** Whether a call has deleted it, so that no later call may find it. */
    isDeleted: (id: string) => deletedIds.has(id),
    addId,
    removeId(kind: string, id: string) {
      deletedIds.add(id);
      const artist = owners.get(id);
      artist?.ids.set(kind, artist.ids.get(kind)?.filter((other) => other !== id) ?? []);
      deleted.set(kind, [...(deleted.get(kind) ?? []), id].slice(-MAX_IDS));
    },
    setVersion: (appointmentId: string, version: number) => versions.set(appointmentId, version),
    addToken,
    /** Logs in again, or notes that the artist is gone. */
    async revive(artist: FuzzArtist) {
      const { status } = await call('GET /users/me', { token: artist.token });
      if (status === 200) return;
      artist.endedTokens.push(artist.token);
      const token = await logIn(artist.email);
      if (token === undefined) artist.isGone = true;
      else artist.token = token;
    },
    /** Reads new mails, replaces artists who are gone, and looks for free times. */
    async tend() {
      tended += 1;
      await readNewMails();
      if (tended % PASS_TIME_EVERY === 0) await passTime();
      if (!superuser || superuser.isGone) {
        superuser = await createArtist('service');
        await database
          .updateTable('artists')
          .set({ is_superuser: true })
          .where('id', '=', superuser.id)
          .execute();
      }
      while (artists.filter(({ isGone }) => !isGone).length < LIVING_ARTISTS)
        await createArtist(artists.length % 3 === 0 ? 'managed' : 'service');
      const lacking = artists.filter(({ isGone, freeTimes }) => !isGone && freeTimes.length === 0);
      for (const artist of new Set([living(tended), ...lacking])) await findFreeTimes(artist);
      await readVersions();
    },
  };
  await state.tend();
  return state;
}

function monthAhead(months: number): { year: number; month: number } {
  const date = new Date();
  const first = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1));
  return { year: first.getUTCFullYear(), month: first.getUTCMonth() + 1 };
}
