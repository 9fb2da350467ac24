import { vi } from 'vitest';
import type { Confirmation } from '#contract/appointment.ts';
import type { Artist } from '#contract/artist.ts';
import type { AvailableDay } from '#contract/availability.ts';
import type { Service } from '#contract/service.ts';

/** What the stores said to the API. */
interface Call {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly key: string | null;
  readonly body: Record<string, unknown>;
}

type Reply = Response | 'lost';

/**
 * The API at the edge of the network: what is asked of it is kept, and requests are answered as a
 * test says, in turn, else as the API would.
 */
export function fakeApi() {
  const calls: Call[] = [];
  const replies: Reply[] = [];
  const months = new Map<string, AvailableDay[]>([
    ['2026-12', DECEMBER],
    ['2027-01', []],
    ['2027-02', [{ date: '2027-02-02', windows: [window('2027-02-02T15:00:00Z', 60)] }]],
  ]);

  async function answer(request: Request): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    const path = pathname.replace('/api/v1/', '');
    const text = await request.text();
    const call = {
      method: request.method,
      path,
      query: searchParams,
      key: request.headers.get('idempotency-key'),
      body: text === '' ? {} : JSON.parse(text),
    };
    calls.push(call);
    if (path.endsWith('/availability')) {
      const month = searchParams.get('month') ?? '';
      const data = months.get(`${searchParams.get('year')}-${month.padStart(2, '0')}`) ?? [];
      return Response.json({ data });
    }
    const reply = replies.shift();
    // What browsers throw when nobody answers.
    if (reply === 'lost') throw new TypeError('Failed to fetch');
    return reply ?? Response.json(confirmationOf({}), { status: 201 });
  }

  document.documentElement.dataset['api'] = 'http://api.test';
  vi.stubGlobal('fetch', (input: Request | string, init?: RequestInit) =>
    answer(new Request(input, init)),
  );
  return {
    calls,
    months,
    /** How the next call that is not about availability is answered. */
    answerNext: (reply: Reply) => replies.push(reply),
    requests: () => calls.filter(({ path }) => path.startsWith('appointments/request/')),
  };
}

export function refusal(status: number, detail: unknown): Response {
  return Response.json({ detail }, { status });
}

export const ANA: Artist = {
  id: '6c1f3f6e-6f0a-4f5e-9d4e-3a1f5d1f0a01',
  username: 'ana',
  full_name: 'Ana Reyes',
  avatar_url: null,
  avatar_sources: [],
  email: 'ana@example.com',
  facebook_url: null,
  instagram_url: null,
  about_me: null,
  scheduling_type: 'service',
  studio: {
    name: 'Ink & Ivory',
    address_one: '12 Orchard Street',
    address_two: null,
    city: 'New York',
    state: 'NY',
    zip_code: '10002',
    time_zone: 'America/New_York',
  },
  taking_bookings: true,
};

export const FLASH: Service = {
  id: '6c1f3f6e-6f0a-4f5e-9d4e-3a1f5d1f0b01',
  name: 'Small flash',
  description: 'A palm-sized piece.',
  duration: 60,
  is_available: true,
};
export const SESSION: Service = {
  ...FLASH,
  id: '6c1f3f6e-6f0a-4f5e-9d4e-3a1f5d1f0b02',
  name: 'Half-day session',
  duration: 240,
};

export const APPOINTMENT_ID = '6c1f3f6e-6f0a-4f5e-9d4e-3a1f5d1f0c01';

export function confirmationOf(parts: Partial<Confirmation>): Confirmation {
  return {
    id: APPOINTMENT_ID,
    ...window('2026-12-03T15:00:00Z', 60),
    confirmed: false,
    status: 'held',
    note: null,
    client: { first_name: 'Rosa' },
    design: null,
    service: FLASH,
    user: { username: 'ana', full_name: 'Ana Reyes', studio: ANA.studio },
    ...parts,
  };
}

function window(start: string, minutes: number) {
  const end = new Date(Date.parse(start) + (minutes - 1) * 60_000);
  return { start, end: `${end.toISOString().slice(0, 19)}Z` };
}

export const DECEMBER: AvailableDay[] = [
  {
    date: '2026-12-03',
    windows: [window('2026-12-03T15:00:00Z', 60), window('2026-12-03T16:00:00Z', 60)],
  },
  { date: '2026-12-04', windows: [window('2026-12-04T15:00:00Z', 60)] },
];
