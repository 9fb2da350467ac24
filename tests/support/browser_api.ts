import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createHttpTransport } from '#client/http.ts';
import type { Appointment, Confirmation } from '#contract/appointment.ts';
import type { Availability } from '#contract/availability.ts';
import type { ListPage, ValidationItem } from '#contract/common.ts';
import type { Design } from '#contract/design.ts';
import type { Transport } from '#contract/endpoint.ts';
import type { UploadedImage } from '#contract/image.ts';
import type { Service } from '#contract/service.ts';
import { createTokenKeys } from '#server/operations/token_keys.ts';
import { siteDatabase } from './browser_database.ts';
import { apiUrl, siteDataDir } from './browser_server.ts';
import { type ApiResponse, type CallOptions, callApi, expectOk, monthQuery } from './call_api.ts';
import { type ArtistOptions, newArtist as insertArtist, type TestArtist } from './new_artist.ts';
import { createDailySchedule, FILLED_FORM } from './sample_people.ts';

export interface Slot {
  readonly start: string;
  readonly end: string;
}

/** The default of `client_cancel_notice_hours`. */
const CANCEL_NOTICE_HOURS = 48;

/** A date of the studio with its free slots. */
export interface OpenDay {
  readonly date: string;
  readonly windows: readonly Slot[];
}

/** Four slots a day, from 10:00 AM to 1:00 PM. */
const MORNING_SCHEDULE = createDailySchedule('10:00', '14:00');
/** The options of an artist unless a test overrides them. */
const DEFAULT_ARTIST = {
  full_name: 'Ines Kowal',
  studio_name: 'Ink & Ivory',
  schedule: MORNING_SCHEDULE,
  service_name: 'Small flash',
};

export { FILLED_FORM };

/** Calls an operation such as `GET /services` on the API of the tested site. */
export function callSite<T = unknown>(
  operation: string,
  options: CallOptions = {},
): Promise<ApiResponse<T>> {
  return callApi<T>(fetch, apiUrl(), operation, options);
}

/** Creates an artist of the tested site who takes bookings. */
export async function newSiteArtist(setup: ArtistOptions = {}): Promise<TestArtist> {
  const [database, key] = await Promise.all([
    siteDatabase(),
    readFile(join(siteDataDir(), 'secret-key')),
  ]);
  const tokenKeys = createTokenKeys(key);
  return insertArtist({ database, tokenKeys, http }, { ...DEFAULT_ARTIST, ...setup });
}

function http(token = ''): Transport {
  const bearer = { getToken: () => token, onUnauthorized: () => {} };
  return createHttpTransport(apiUrl(), { bearer });
}

/** A demo artist, for tests that do not change the artist. */
export async function loadDemoArtist(username: 'ana' | 'bo'): Promise<{
  token: string;
  designs: readonly Design[];
  services: readonly Service[];
  portfolio: readonly UploadedImage[];
}> {
  const [token, designs, services, portfolio] = await Promise.all([
    logIn(`${username}@example.com`, 'tattoo-demo'),
    expectOk(callSite<ListPage<Design>>(`GET /designs/${username}/available`)),
    expectOk(callSite<ListPage<Service>>(`GET /services/${username}/available`)),
    expectOk(
      callSite<ListPage<UploadedImage>>(`GET /images/artist-portfolio?username=${username}`),
    ),
  ]);
  return { token, designs: designs.data, services: services.data, portfolio: portfolio.data };
}

/**
 * The days with free slots of this month and the two after, from that on of which clients may still
 * cancel any time by the default notice.
 */
export async function listOpenDays({ self, service }: TestArtist): Promise<readonly OpenDay[]> {
  const responses = await Promise.all(
    [0, 1, 2].map((ahead) => {
      const path = `GET /services/${service.id}/availability?${monthQuery(ahead)}`;
      return expectOk(callSite<Availability>(path));
    }),
  );
  const soon = dateInZone(self.studio.time_zone, Date.now() + CANCEL_NOTICE_HOURS * 60 * 60_000);
  return responses.flatMap(({ data }) => data).filter(({ date }) => date > soon);
}

/** The first day with free slots, as of `listOpenDays`, and its first three slots. */
export async function findOpenDay(artist: TestArtist) {
  const [day] = await listOpenDays(artist);
  const [slot, other, third] = day?.windows ?? [];
  if (!day || !slot || !other || !third) throw new Error('No open days');
  return { day, slot, other, third };
}

/** Books a slot over the API, as another client does. */
export function bookSiteSlot(
  { username, service }: TestArtist,
  slot: Slot,
  changes: Record<string, unknown> = {},
): Promise<ApiResponse<Confirmation & { detail: readonly ValidationItem[] }>> {
  return callSite(`POST /appointments/request/service?username=${username}`, {
    json: { ...FILLED_FORM, service_id: service.id, design_id: null, ...slot, ...changes },
  });
}

/** Sends a request to an artist who sets the times, as another client does. */
export function requestAppointment(
  username: string,
  changes: Record<string, unknown> = {},
): Promise<ApiResponse<Confirmation & { detail: readonly ValidationItem[] }>> {
  return callSite(`POST /appointments/request/design?username=${username}`, {
    json: { ...FILLED_FORM, design_id: null, ...changes },
  });
}

/** The artist changes an appointment: new times, or a new status. */
export function updateAppointment(
  token: string,
  id: string,
  changes: Partial<Slot> & { status?: string },
): Promise<Appointment> {
  return expectOk(callSite<Appointment>(`PATCH /appointments/${id}`, { token, json: changes }));
}

export function confirmAppointment(id: string): Promise<Confirmation> {
  return expectOk(callSite<Confirmation>(`POST /appointments/confirmation/${id}`));
}

export async function listAppointments(token: string): Promise<readonly Appointment[]> {
  return (await expectOk(callSite<ListPage<Appointment>>('GET /appointments', { token }))).data;
}

/** The date, `YYYY-MM-DD`, on a wall calendar in the zone. */
function dateInZone(zone: string, instant: number): string {
  // Swedish dates have this format.
  return new Intl.DateTimeFormat('sv-SE', { timeZone: zone }).format(instant);
}

async function logIn(username: string, password: string): Promise<string> {
  const { access_token } = await expectOk(
    callSite<{ access_token: string }>('POST /login/access-token', {
      form: { username, password },
    }),
  );
  return access_token;
}
