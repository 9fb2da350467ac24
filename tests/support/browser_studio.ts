import { randomUUID } from 'node:crypto';
import type { Appointment, Confirmation } from '#contract/appointment.ts';
import type { AppointmentFormInput } from '#contract/appointment_form.ts';
import type { Artist } from '#contract/artist.ts';
import type { Availability } from '#contract/availability.ts';
import type { Listed, ValidationItem } from '#contract/common.ts';
import type { Design } from '#contract/design.ts';
import type { Service } from '#contract/service.ts';
import { apiUrl } from './browser_server.ts';
import { openDaily, ROSA } from './rosa.ts';

/** What a call answered. */
export interface Answer<T = unknown> {
  readonly status: number;
  readonly body: T;
}

interface CallOptions {
  readonly token?: string;
  readonly json?: unknown;
  readonly form?: Record<string, string>;
}

export interface Slot {
  readonly start: string;
  readonly end: string;
}

/** A date of the studio with its free slots. */
export interface Day {
  readonly date: string;
  readonly windows: readonly Slot[];
}

interface ArtistSetup {
  readonly scheduling_type?: 'service' | 'managed' | null;
  readonly time_zone?: string;
  readonly schedule?: Record<string, unknown>;
}

/** An artist of one test: nobody else's bookings touch them. */
export interface TestArtist {
  readonly self: Artist;
  readonly username: string;
  readonly token: string;
  /** One hour long. */
  readonly service: Service;
}

export const PASSWORD = 'correct horse';

/** Four slots a day, from 10:00 AM to 1:00 PM. */
const MORNINGS = openDaily('10:00', '14:00');

/** A client's form, all of it filled in, as it is typed. */
export const FILLED_FORM = {
  location: 'arms',
  size: 'medium',
  customer_notes: 'A swallow, mid-flight.',
  ...ROSA,
} satisfies AppointmentFormInput;

/** Calls `GET /services` and the like, below `/api/v1`. */
export async function call<T = unknown>(
  what: string,
  { token, json, form }: CallOptions = {},
): Promise<Answer<T>> {
  const [method = 'GET', path = '/'] = what.split(' ');
  const body = json === undefined ? form && new URLSearchParams(form) : JSON.stringify(json);
  const response = await fetch(`${apiUrl()}/api/v1${path}`, {
    method,
    headers: {
      ...(json === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
    },
    ...(body === undefined ? {} : { body }),
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
}

/** The body of a call that must have worked. */
export async function expectOk<T>(answer: Promise<Answer<T>>): Promise<T> {
  const { status, body } = await answer;
  if (status >= 300) throw new Error(`${status} ${JSON.stringify(body)}`);
  return body;
}

/** Signs up an artist who takes bookings. */
export async function newArtist(setup: ArtistSetup = {}): Promise<TestArtist> {
  const { scheduling_type = 'service', time_zone = 'America/New_York' } = setup;
  const username = `ink-${randomUUID().slice(0, 13)}`;
  const email = `${username}@example.com`;
  await expectOk(
    call('POST /users/signup', {
      json: {
        email,
        full_name: 'Ines Kowal',
        password: PASSWORD,
        confirm_password: PASSWORD,
        username,
        studio_name: 'Ink & Ivory',
        address_one: '12 Example Street',
        city: 'New York',
        state: 'NY',
        zip_code: '10002',
        time_zone,
      },
    }),
  );
  const token = await logIn(email, PASSWORD);
  await expectOk(call('PATCH /users/me/schedule', { token, json: setup.schedule ?? MORNINGS }));
  const service = await expectOk(
    call<Service>('POST /services', {
      token,
      json: { name: 'Small flash', description: 'A palm-sized piece.', duration: 60 },
    }),
  );
  const self = await expectOk(
    call<Artist>('PATCH /users/me', { token, json: { scheduling_type } }),
  );
  return { self, username, token, service };
}

/** A demo artist, for what does not change them. */
export async function demoArtist(
  username: 'ana' | 'bo',
): Promise<{ token: string; designs: readonly Design[]; services: readonly Service[] }> {
  const [token, designs, services] = await Promise.all([
    logIn(`${username}@example.com`, 'tattoo-demo'),
    expectOk(call<Listed<Design>>(`GET /designs/${username}/available`)),
    expectOk(call<Listed<Service>>(`GET /services/${username}/available`)),
  ]);
  return { token, designs: designs.data, services: services.data };
}

/** The days with free slots, from the day after tomorrow on, of this month and the two after. */
export async function openDays({ self, service }: TestArtist): Promise<readonly Day[]> {
  const now = new Date();
  const months = [0, 1, 2].map(
    (ahead) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + ahead, 1)),
  );
  const answers = await Promise.all(
    months.map((month) =>
      expectOk(
        call<Availability>(
          `GET /services/${service.id}/availability?year=${month.getUTCFullYear()}&month=${month.getUTCMonth() + 1}`,
        ),
      ),
    ),
  );
  const soon = dateIn(self.studio.time_zone, Date.now() + 24 * 60 * 60_000);
  return answers.flatMap(({ data }) => data).filter(({ date }) => date > soon);
}

/** Asks for a slot as another client does. */
export function bookSlot(
  { username, service }: TestArtist,
  slot: Slot,
  changes: Record<string, unknown> = {},
): Promise<Answer<Confirmation & { detail: readonly ValidationItem[] }>> {
  return call(`POST /appointments/request/service?username=${username}`, {
    json: { ...FILLED_FORM, service_id: service.id, design_id: null, ...slot, ...changes },
  });
}

/** Asks an artist who sets the times, as another client does. */
export function askFor(
  username: string,
  changes: Record<string, unknown> = {},
): Promise<Answer<Confirmation & { detail: readonly ValidationItem[] }>> {
  return call(`POST /appointments/request/design?username=${username}`, {
    json: { ...FILLED_FORM, design_id: null, ...changes },
  });
}

/** The artist changes an appointment: new times, or a new status. */
export function change(
  token: string,
  id: string,
  changes: Partial<Slot> & { status?: string },
): Promise<Appointment> {
  return expectOk(call<Appointment>(`PATCH /appointments/${id}`, { token, json: changes }));
}

/** The client confirms. */
export function confirm(id: string): Promise<Confirmation> {
  return expectOk(call<Confirmation>(`POST /appointments/confirmation/${id}`));
}

/** All that the artist has. */
export async function appointmentsOf(token: string): Promise<readonly Appointment[]> {
  return (await expectOk(call<Listed<Appointment>>('GET /appointments', { token }))).data;
}

/** The date, `YYYY-MM-DD`, on a wall calendar in the zone. */
export function dateIn(zone: string, instant: number): string {
  // Swedish dates are written that way.
  return new Intl.DateTimeFormat('sv-SE', { timeZone: zone }).format(instant);
}

async function logIn(username: string, password: string): Promise<string> {
  const { access_token } = await expectOk(
    call<{ access_token: string }>('POST /login/access-token', { form: { username, password } }),
  );
  return access_token;
}
