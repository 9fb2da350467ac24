import type { Locator, Page } from '@playwright/test';
import type { Appointment } from '#contract/appointment.ts';
import type { ClientRecord } from '#contract/client.ts';
import type { ListPage } from '#contract/common.ts';
import { callSite } from './browser_api.ts';
import { enterAppointment, slotFrom } from './browser_appointments.ts';
import { expectOk } from './call_api.ts';
import type { TestArtist } from './new_artist.ts';

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;

/** The artist enters a one-hour appointment so many days from now; negative is in the past. */
export function enterAppointmentFor(
  { token, service }: TestArtist,
  client: Parameters<typeof enterAppointment>[2],
  days: number,
): Promise<Appointment> {
  const start = Math.floor(Date.now() / HOUR_MS) * HOUR_MS + days * DAY_MS;
  return enterAppointment(token, { ...slotFrom(start, 60), service_id: service.id }, client);
}

/** The artist's only client with this email. */
export async function findClient({ token }: TestArtist, email: string): Promise<ClientRecord> {
  const { data } = await expectOk(
    callSite<ListPage<ClientRecord>>(`GET /clients?search=${encodeURIComponent(email)}`, { token }),
  );
  const [client] = data;
  if (!client || data.length !== 1) throw new Error(`${data.length} clients with ${email}`);
  return client;
}

/** A success message in the corner. */
export function successToast(page: Page, text: string): Locator {
  return page.getByRole('status').filter({ hasText: text });
}
