import { expect, type Page } from '@playwright/test';
import { button } from './browser_booking.ts';
import { clientOf, enterVisit } from './browser_clients.ts';
import { logInAs } from './browser_login.ts';
import { aMail, everyMail, showMails } from './browser_mails.ts';
import type { Place } from './browser_places.ts';
import { call, newArtist } from './browser_studio.ts';
import { expectOk } from './calls.ts';
import type { TestArtist } from './new_artist.ts';

const ROSA = { first_name: 'Rosa', last_name: 'Quint', email: 'rosa@example.com' };

/** What the studio tells of mail. */
export const MAIL_PLACES: readonly Place[] = [
  {
    name: 'an appointment with its mail',
    async open(page) {
      await openAppointment(page, everyMail);
      await expect(page.getByText('Booking confirmation to Rosa')).toBeVisible();
    },
  },
  {
    name: 'an appointment without mail',
    async open(page) {
      await openAppointment(page, () => []);
      await expect(page.getByText('Nothing has been sent about it yet.')).toBeVisible();
    },
  },
  {
    name: 'mail that cannot be loaded',
    async open(page, watch) {
      watch.expectTrouble(/mails.*ERR_FAILED/);
      await page.route('**/api/v1/mails/?*', (route) => route.abort());
      await openAppointment(page);
      await expect(button(page, 'Try again')).toBeVisible();
    },
  },
  {
    name: 'a mail that is to be sent again, with a message',
    async open(page) {
      await openAppointment(page, everyMail);
      await button(page, 'Send again: Booking confirmation to Rosa').click();
      await page.getByLabel('Email', { exact: true }).fill('nowhere');
      await page.getByRole('dialog').getByRole('button', { name: 'Send again' }).click();
      await expect(page.getByText('Invalid email address')).toBeVisible();
    },
  },
  {
    name: 'home with mail that did not arrive',
    async open(page) {
      const artist = await newArtist();
      const { id } = await enterVisit(artist, ROSA, 3);
      await showMails(page, [aMail(id, { status: 'failed' })]);
      await logInAs(page, artist);
      await page.goto('/');
      await expect(page.getByRole('heading', { name: 'Mail that did not arrive' })).toBeVisible();
    },
  },
  {
    name: 'clients, one of whom mail does not reach',
    async open(page) {
      await openClients(page, () => '');
      await expect(page.getByText('Mail does not arrive')).toBeVisible();
    },
  },
  {
    name: 'a client whom mail does not reach',
    async open(page) {
      await openClients(page, (id) => `?id=${id}`);
      await expect(page.getByText('has not arrived since')).toBeVisible();
    },
  },
  {
    name: 'reminders, as many as may be',
    async open(page) {
      const artist = await newArtist();
      await remind(artist, [168, 24, 2]);
      await openReminders(page, artist);
      await expect(page.getByText('are the most')).toBeVisible();
    },
  },
  {
    name: 'reminders that are off',
    async open(page) {
      const artist = await newArtist();
      await remind(artist, []);
      await openReminders(page, artist);
      await expect(page.getByText('your clients are not reminded')).toBeVisible();
    },
  },
];

async function openAppointment(page: Page, mailsOf?: typeof everyMail): Promise<void> {
  const artist = await newArtist();
  const { id } = await enterVisit(artist, ROSA, 3);
  if (mailsOf) await showMails(page, mailsOf(id));
  await logInAs(page, artist);
  await page.goto(`/studio/appointments?id=${id}`);
}

async function openClients(page: Page, queryOf: (id: string) => string): Promise<void> {
  const artist = await newArtist();
  await enterVisit(artist, ROSA, 3);
  const client = await clientOf(artist, ROSA.email);
  const flagged = { ...client, email_failed_at: new Date().toISOString() };
  await page.route('**/api/v1/clients/?*', (route) =>
    route.fulfill({ json: { data: [flagged], count: 1 } }),
  );
  await page.route(`**/api/v1/clients/${client.id}`, (route) => route.fulfill({ json: flagged }));
  await logInAs(page, artist);
  await page.goto(`/studio/clients${queryOf(client.id)}`);
}

function remind({ token }: TestArtist, reminder_hours: readonly number[]): Promise<unknown> {
  return expectOk(call('PATCH /users/me', { token, json: { reminder_hours } }));
}

async function openReminders(page: Page, artist: TestArtist): Promise<void> {
  await logInAs(page, artist);
  await page.goto('/studio/profile#reminders');
}
