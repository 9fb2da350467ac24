/** Clients who book, an artist who changes pictures, and readers, while parts of the studio fail. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { vi } from 'vitest';
import * as z from 'zod';
import { type ApiResponse, type CallOptions, callApi, expectOk } from '#support/call_api.ts';
import { listTimes } from '#support/listed_times.ts';
import { createSignup, PASSWORD } from '#support/new_artist.ts';
import { createMultipart, createPicture } from '#support/pictures.ts';
import { createDailySchedule } from '#support/sample_people.ts';
import type { Studio } from './studio.ts';

const CLIENTS = 6;
const READERS = 2;
const RETRY_MS = 200;
/** Clients give up after so many attempts of one call. */
const MAX_ATTEMPTS = 150;
/** Clients choose among so many free times, so that they meet. */
const CHOICE = 12;
const PAUSE_MS = 250;
/** The first upload is answered by then. */
const UPLOAD_MS = 60_000;
/** A frozen server never answers. */
const TIMEOUT_MS = 8000;

/** What the clients know of an appointment. */
interface Promised {
  readonly key: string;
  /** The last status that an answer promised; undefined without an answer to the booking. */
  status: 'held' | 'confirmed' | 'cancelled' | undefined;
  /** Whether a later call got no answer, so that the status may be the next one. */
  isUncertain: boolean;
  id: string;
}

export type StudioLoad = Awaited<ReturnType<typeof startLoad>>;

const Created = z.object({ id: z.string() });
const Uploaded = z.object({ data: z.array(z.object({ id: z.string(), file_url: z.string() })) });
const Token = z.object({ access_token: z.string() });

export async function startLoad({ servers }: Studio) {
  const urls = servers.map(({ url }) => url);
  const [first = ''] = urls;
  const counts: Record<string, number> = {};
  const surprises: string[] = [];
  const promised: Promised[] = [];
  const pictures = new Map<string, string>();
  const picture = await createPicture();
  let isFinishing = false;
  let calls = 0;
  let made = 0;

  const setUp = (operation: string, options: CallOptions) =>
    expectOk(callApi(fetch, first, operation, options));
  const account = { email: 'ana@faults.example', username: 'ana', full_name: 'Ana' };
  await setUp('POST /users/signup', { json: createSignup(account) });
  const form = { username: account.email, password: PASSWORD };
  const { access_token: token } = Token.parse(await setUp('POST /login/access-token', { form }));
  const asArtist = (operation: string, json: object) => setUp(operation, { token, json });
  await asArtist('PATCH /users/me', { scheduling_type: 'service' });
  const schedule = { ...createDailySchedule('00:00', '24:00'), slot_interval_minutes: 15 };
  await asArtist('PATCH /users/me/schedule', schedule);
  await asArtist('PATCH /users/me/booking_range', { kind: 'rolling', days: 90 });
  const service = Created.parse(await asArtist('POST /services', { name: 'Flash', duration: 15 }));
  const times = await listTimes(first, service.id, [1, 2]);

  /** One attempt; undefined without an answer. */
  async function attempt(
    operation: string,
    options: CallOptions,
  ): Promise<ApiResponse | undefined> {
    calls += 1;
    const url = urls[calls % urls.length] ?? first;
    const send: typeof fetch = (request) =>
      fetch(request, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    const answer = await callApi(send, url, operation, options).catch(() => undefined);
    const status = String(answer?.status ?? 'none');
    counts[status] = (counts[status] ?? 0) + 1;
    const isExpected = answer?.status === 503 && answer.headers.has('Retry-After');
    if (answer && answer.status >= 500 && !isExpected)
      surprises.push(`${operation}: ${status} ${JSON.stringify(answer.body)}`);
    return answer;
  }

  /** As the site does: repeats a call that got no answer or a 503. */
  async function persist(
    operation: string,
    options: CallOptions,
  ): Promise<ApiResponse | undefined> {
    for (let nth = 0; nth < MAX_ATTEMPTS; nth += 1) {
      const answer = await attempt(operation, options);
      if (answer && answer.status !== 503) return answer;
      await sleep(RETRY_MS);
    }
    return undefined;
  }

  async function book(nth: number): Promise<void> {
    const time = times[made + Math.floor(Math.random() * CHOICE)];
    if (!time) return;
    const booking: Promised = { key: randomUUID(), status: undefined, isUncertain: true, id: '' };
    promised.push(booking);
    const email = `client-${nth}-${promised.length}@faults.example`;
    const answer = await persist('POST /appointments/request/service?username=ana', {
      json: { email, service_id: service.id, design_id: null, ...time },
      headers: { 'Idempotency-Key': booking.key },
    });
    if (!answer) return;
    booking.isUncertain = false;
    if (answer.status !== 201) return;
    booking.id = Created.parse(answer.body).id;
    booking.status = 'held';
    made += 1;
    await change(booking, 'confirmed', `POST /appointments/confirmation/${booking.id}`, {});
    if (promised.length % 5 === 0)
      await change(booking, 'cancelled', `PATCH /appointments/${booking.id}`, {
        token,
        json: { status: 'cancelled' },
      });
  }

  async function change(
    booking: Promised,
    status: 'confirmed' | 'cancelled',
    operation: string,
    options: CallOptions,
  ): Promise<void> {
    const answer = await persist(operation, options);
    if (answer?.status === 200) booking.status = status;
    else if (!answer) booking.isUncertain = true;
    // Repeating a cancellation that was done without an answer is refused.
    else if (answer.status === 409 && status === 'cancelled') booking.isUncertain = true;
    else surprises.push(`${operation}: ${answer.status} ${JSON.stringify(answer.body)}`);
  }

  async function upload(): Promise<void> {
    const multipart = createMultipart([picture]);
    const answer = await attempt('POST /images/portfolio/upload', { token, multipart });
    for (const { id, file_url } of Uploaded.safeParse(answer?.body).data?.data ?? [])
      pictures.set(id, file_url);
    await sleep(PAUSE_MS * 4);
  }

  async function read(): Promise<void> {
    const paths = ['/ana', '/ana/about', '/ana/scheduling', ...[...pictures.values()].slice(-3)];
    calls += 1;
    const url = urls[calls % urls.length] ?? first;
    const path = paths[calls % paths.length] ?? '/ana';
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const status = await fetch(url + path, { signal }).then(
      async (response) => {
        await response.arrayBuffer();
        return response.status;
      },
      () => 'none',
    );
    counts[`page ${status}`] = (counts[`page ${status}`] ?? 0) + 1;
    // A picture may be gone.
    if (![200, 503, 'none'].includes(status) && !(status === 404 && path.startsWith('/media')))
      surprises.push(`GET ${path}: ${status}`);
    await sleep(PAUSE_MS);
  }

  const repeat = async (work: (nth: number) => Promise<void>, nth: number) => {
    while (!isFinishing) {
      await work(nth);
      await sleep(PAUSE_MS * Math.random());
    }
  };
  const running = Promise.all([
    ...Array.from({ length: CLIENTS }, (_, nth) => repeat(book, nth)),
    ...Array.from({ length: READERS }, (_, nth) => repeat(read, nth)),
    repeat(upload, 0),
  ]);
  return {
    promised,
    /** The pictures whose upload was answered and which nobody deleted. */
    get pictures() {
      return new Set(pictures.keys());
    },
    /** Answers by status; `none` for broken connections. */
    counts,
    /** Answers that no fault explains. */
    surprises,
    /** Deletes the newest pictures, which the readers read. */
    async deletePictures() {
      await vi.waitUntil(() => pictures.size > 0, { timeout: UPLOAD_MS });
      const ids = [...pictures.keys()].slice(-3);
      for (const id of ids) {
        // Before the call, whose answer may be lost.
        pictures.delete(id);
        await attempt(`DELETE /images/${id}`, { token });
      }
    },
    /** Lets each client finish what it began. */
    async finish() {
      isFinishing = true;
      await running;
    },
  };
}
