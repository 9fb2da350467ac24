import { expect, type Page } from '@playwright/test';
import { callSite, newSiteArtist } from './browser_api.ts';
import { button } from './browser_booking.ts';
import { enterAppointmentFor, findClient } from './browser_clients.ts';
import { openAs } from './browser_login.ts';
import { createSentMail, mailsInEveryState, mockMails } from './browser_mail_log.ts';
import type { PageStates } from './browser_page_states.ts';
import { expectOk } from './call_api.ts';

const ROSA_CLIENT = { first_name: 'Rosa', last_name: 'Quint', email: 'rosa@example.com' };

/** States of the studio's pages that show mail. */
export const MAIL_PAGE_STATES: PageStates = {
  'an appointment with its mail': async (page) => {
    await openAppointment(page, mailsInEveryState);
    await expect(page.getByText('Booking confirmation to Rosa')).toBeVisible();
  },
  'an appointment without mail': async (page) => {
    await openAppointment(page, () => []);
    await expect(page.getByText('Nothing has been sent about it yet.')).toBeVisible();
  },
  'mail that cannot be loaded': async (page, watch) => {
    watch.expectError(/mails.*ERR_FAILED/);
    await page.route('**/api/v1/mails/?*', (route) => route.abort());
    await openAppointment(page);
    await expect(button(page, 'Try again')).toBeVisible();
  },
  'sending a mail again, with a message': async (page) => {
    await openAppointment(page, mailsInEveryState);
    await button(page, 'Send again: Booking confirmation to Rosa').click();
    await page.getByLabel('Email', { exact: true }).fill('nowhere');
    await page.getByRole('dialog').getByRole('button', { name: 'Send again' }).click();
    await expect(page.getByText('Invalid email address')).toBeVisible();
  },
  'home with mail that did not arrive': async (page) => {
    const artist = await newSiteArtist();
    const { id } = await enterAppointmentFor(artist, ROSA_CLIENT, 3);
    await mockMails(page, [createSentMail(id, { status: 'failed' })]);
    await openAs(page, artist, '/');
    await expect(page.getByRole('heading', { name: 'Mail that did not arrive' })).toBeVisible();
  },
  'clients, one of them with failing mail': async (page) => {
    await openClients(page, () => '');
    await expect(page.getByText('Mail does not arrive')).toBeVisible();
  },
  'a client with failing mail': async (page) => {
    await openClients(page, (id) => `?id=${id}`);
    await expect(page.getByText('has not arrived since')).toBeVisible();
  },
  'the maximum number of reminders': async (page) => {
    await openReminders(page, [168, 24, 2]);
    await expect(page.getByText('are the most')).toBeVisible();
  },
  'reminders that are off': async (page) => {
    await openReminders(page, []);
    await expect(page.getByText('your clients are not reminded')).toBeVisible();
  },
};

async function openAppointment(page: Page, mailsOf?: typeof mailsInEveryState): Promise<void> {
  const artist = await newSiteArtist();
  const { id } = await enterAppointmentFor(artist, ROSA_CLIENT, 3);
  if (mailsOf) await mockMails(page, mailsOf(id));
  await openAs(page, artist, `/studio/appointments?id=${id}`);
}

async function openClients(page: Page, queryOf: (id: string) => string): Promise<void> {
  const artist = await newSiteArtist();
  await enterAppointmentFor(artist, ROSA_CLIENT, 3);
  const client = await findClient(artist, ROSA_CLIENT.email);
  const flagged = { ...client, email_failed_at: new Date().toISOString() };
  await page.route('**/api/v1/clients/?*', (route) =>
    route.fulfill({ json: { data: [flagged], count: 1 } }),
  );
  await page.route(`**/api/v1/clients/${client.id}`, (route) => route.fulfill({ json: flagged }));
  await openAs(page, artist, `/studio/clients${queryOf(client.id)}`);
}

async function openReminders(page: Page, reminder_hours: readonly number[]): Promise<void> {
  const artist = await newSiteArtist();
  await expectOk(callSite('PATCH /users/me', { token: artist.token, json: { reminder_hours } }));
  await openAs(page, artist, '/studio/profile#reminders');
}
