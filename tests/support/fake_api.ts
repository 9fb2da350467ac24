import { vi } from 'vitest';
import type { Confirmation } from '#contract/appointment.ts';
import type { Artist } from '#contract/artist.ts';
import type { AvailableDay } from '#contract/availability.ts';
import type { RefusalDetails } from '#contract/endpoint.ts';
import type { Service } from '#contract/service.ts';
import type { AppointmentStatus, ClientAction } from '#domain/appointments/appointment.ts';
import type { RefusalReason } from '#domain/refusal.ts';
import { listZoneOffsets } from '#domain/time/wall_clock.ts';
import { refusalAnswer, toErrorResponse } from '#server/api/error_answers.ts';
import { NO_TERMS } from './design_facts.ts';
import { ROSA_ARTIST } from './sample_people.ts';

/** A call to the API. */
export interface ApiCall {
  readonly method: string;
  /** The part after `/api/v1/`. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly idempotencyKey: string | null;
  readonly token: string | null;
  readonly deviceToken: string | null;
  /** The parsed JSON; other bodies are text under `text`. */
  readonly body: Record<string, unknown>;
}

/** `lost`: the connection breaks before the response. */
type FakeResponse = Response | 'lost';

/**
 * Replaces the API by stubbing `fetch` and, for uploads, `XMLHttpRequest`.
 * @param answer returns the response; an object is sent as JSON
 * @returns the calls so far
 */
export function stubApi(
  answer: (call: ApiCall) => FakeResponse | object | Promise<FakeResponse | object>,
) {
  const calls: ApiCall[] = [];

  async function respond(request: Request): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    const text = await request.text();
    const call = {
      method: request.method,
      path: pathname.replace('/api/v1/', ''),
      query: searchParams,
      idempotencyKey: request.headers.get('idempotency-key'),
      token: request.headers.get('authorization')?.replace('Bearer ', '') ?? null,
      deviceToken: request.headers.get('device-token'),
      body: bodyOf(request.headers.get('content-type'), text),
    };
    calls.push(call);
    const reply = await answer(call);
    // With the words of a browser, ky would repeat a GET for a second: as long as tests wait.
    if (reply === 'lost') throw new TypeError('The connection is lost.');
    return reply instanceof Response ? reply : Response.json(reply);
  }

  document.documentElement.dataset['api'] = 'http://api.test';
  vi.stubGlobal('fetch', (input: Request | string, init?: RequestInit) =>
    respond(new Request(input, init)),
  );
  vi.stubGlobal('XMLHttpRequest', createFakeXhr(respond));
  return calls;
}

function bodyOf(type: string | null, text: string): Record<string, unknown> {
  if (text === '') return {};
  return type?.startsWith('application/json') ? JSON.parse(text) : { text };
}

/** The part of XMLHttpRequest that uploads use. */
function createFakeXhr(respond: (request: Request) => Promise<Response>) {
  return class {
    readonly upload: { onprogress: (event: { loaded: number; total: number }) => void } = {
      onprogress: () => {},
    };
    onload = () => {};
    onerror = () => {};
    withCredentials = false;
    status = 0;
    statusText = '';
    responseText = '';
    #method = '';
    #url = '';
    readonly #headers = new Headers();

    open(method: string, url: string): void {
      this.#method = method;
      this.#url = url;
    }

    setRequestHeader(name: string, value: string): void {
      this.#headers.set(name, value);
    }

    getResponseHeader(): string {
      return 'application/json';
    }

    abort(): void {}

    async send(body: FormData): Promise<void> {
      this.upload.onprogress({ loaded: 1, total: 1 });
      try {
        const request = { method: this.#method, headers: this.#headers, body };
        const response = await respond(new Request(this.#url, request));
        this.status = response.status;
        this.statusText = response.statusText;
        this.responseText = await response.text();
        this.onload();
      } catch {
        this.onerror();
      }
    }
  };
}

/**
 * The API for a client of an artist: it lists slots and accepts bookings. A test can override the
 * next response with `answerNext`.
 */
export function fakeBookingApi() {
  const replies: (FakeResponse | Promise<FakeResponse>)[] = [];
  const months = new Map<string, AvailableDay[]>([
    ['2026-12', DECEMBER],
    ['2027-01', []],
    ['2027-02', [{ date: '2027-02-02', windows: [createSlot('2027-02-02T15:00:00Z', 60)] }]],
  ]);

  const services = [FLASH, SESSION];
  let canListServices = true;

  const calls = stubApi(({ path, query }) => {
    if (path.endsWith('/available/'))
      return canListServices ? { data: services, count: services.length } : 'lost';
    if (path.endsWith('/availability')) {
      const month = query.get('month') ?? '';
      return { data: months.get(`${query.get('year')}-${month.padStart(2, '0')}`) ?? [] };
    }
    return replies.shift() ?? Response.json(createConfirmation({}), { status: 201 });
  });

  return {
    calls,
    months,
    /** The artist's services, as the API lists them to clients. */
    services,
    /** The connection breaks whenever the services are listed. */
    loseServices: () => {
      canListServices = false;
    },
    /** Sets the response to the next call other than availability. */
    answerNext: (reply: FakeResponse | Promise<FakeResponse>) => replies.push(reply),
    requests: () => calls.filter(({ path }) => path.startsWith('appointments/request/')),
  };
}

export function problemResponse(status: number, detail: unknown, more: object = {}): Response {
  return Response.json({ detail, ...more }, { status });
}

/** The API's own answer to a refused call. */
export function refusalResponse(reason: RefusalReason, more: RefusalDetails = {}): Response {
  return toErrorResponse({ ...refusalAnswer(reason), ...more });
}

/** The fields of a studio in this zone, with its offsets from 2026 to 2029. */
export function zoneWithOffsets(time_zone: string) {
  const offsets = listZoneOffsets(time_zone, Date.UTC(2026, 0), Date.UTC(2029, 0));
  return { time_zone, offsets };
}

export const ANA: Artist = {
  ...ROSA_ARTIST,
  id: '6c1f3f6e-6f0a-4f5e-9d4e-3a1f5d1f0a01',
  username: 'ana',
  full_name: 'Ana Reyes',
  email: 'ana@example.com',
  studio: {
    name: 'Ink & Ivory',
    address_one: '12 Orchard Street',
    address_two: null,
    city: 'New York',
    state: 'NY',
    zip_code: '10002',
    ...zoneWithOffsets('America/New_York'),
  },
};

export const FLASH: Service = {
  id: '6c1f3f6e-6f0a-4f5e-9d4e-3a1f5d1f0b01',
  name: 'Small flash',
  description: 'A palm-sized piece.',
  duration: 60,
  is_available: true,
  price: null,
};
export const SESSION: Service = {
  ...FLASH,
  id: '6c1f3f6e-6f0a-4f5e-9d4e-3a1f5d1f0b02',
  name: 'Half-day session',
  duration: 240,
};

export const APPOINTMENT_ID = '6c1f3f6e-6f0a-4f5e-9d4e-3a1f5d1f0c01';

/** The time of a hold or an offer. */
export const TIME_ID = '6c1f3f6e-6f0a-4f5e-9d4e-3a1f5d1f0e01';

/** By status, as the API computes it for an appointment in the future. */
const CAN: Partial<Record<AppointmentStatus, ClientAction[]>> = {
  requested: ['cancel', 'change_email'],
  held: ['confirm', 'release', 'change_email'],
  offered: ['confirm', 'decline', 'change_email'],
  expired: ['confirm'],
  confirmed: ['cancel', 'change_email'],
};

export function createConfirmation({
  status = 'held',
  ...parts
}: Partial<Confirmation>): Confirmation {
  const time = createSlot('2026-12-03T15:00:00Z', 60);
  return {
    id: APPOINTMENT_ID,
    ...time,
    version: 1,
    times: status === 'held' || status === 'offered' ? [{ id: TIME_ID, ...time }] : [],
    location: null,
    size: null,
    customer_notes: null,
    history: [],
    can: CAN[status] ?? [],
    confirmed: false,
    status,
    must_prove_email: false,
    email_proven: true,
    email_hint: 'r•••@example.com',
    lapses_at: status === 'held' || status === 'offered' ? '2026-12-01T15:30:00Z' : null,
    cancel_until: null,
    move_until: null,
    data_requests: [],
    data_erased_at: null,
    new_email_hint: null,
    new_email_asked_at: null,
    note: null,
    ...NO_TERMS,
    client: { first_name: 'Rosa' },
    design: null,
    service: FLASH,
    user: { username: 'ana', full_name: 'Ana Reyes', studio: ANA.studio },
    ...parts,
  };
}

function createSlot(start: string, minutes: number) {
  const end = new Date(Date.parse(start) + (minutes - 1) * 60_000);
  return { start, end: `${end.toISOString().slice(0, 19)}Z` };
}

export const DECEMBER: AvailableDay[] = [
  {
    date: '2026-12-03',
    windows: [createSlot('2026-12-03T15:00:00Z', 60), createSlot('2026-12-03T16:00:00Z', 60)],
  },
  { date: '2026-12-04', windows: [createSlot('2026-12-04T15:00:00Z', 60)] },
];
