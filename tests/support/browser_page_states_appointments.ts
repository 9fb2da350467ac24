import { expect, type Page } from '@playwright/test';
import type { DataRequestKind } from '#domain/data_request.ts';
import { callSite, newSiteArtist, requestAppointment, updateAppointment } from './browser_api.ts';
import {
  dateAhead,
  enterAppointment,
  newYorkInstant,
  openActionDialog,
  pickTimeInDialog,
  slotFrom,
} from './browser_appointments.ts';
import { button, waitForHydration } from './browser_booking.ts';
import { enterAppointmentFor } from './browser_clients.ts';
import { runStatement } from './browser_database.ts';
import { openAs } from './browser_login.ts';
import { failsToLoad, type PageStates } from './browser_page_states.ts';
import { expectOk } from './call_api.ts';
import type { TestArtist } from './new_artist.ts';

const PAGE_PATH = '/studio/appointments';
const ROSA = { first_name: 'Rosa', last_name: 'Quint', email: 'rosa@example.com' };

/** States of the studio's home and appointments. */
export const APPOINTMENT_PAGE_STATES: PageStates = {
  'home with its checklist': async (page) => {
    await openAs(page, await newSiteArtist({ scheduling_type: null }), '/');
    await expect(page.getByText('Get ready for your first booking')).toBeVisible();
  },
  'home with appointments, requests and messages': async (page) => {
    const artist = await createBusyArtist();
    await openAs(page, artist, '/');
    await expect(page.getByRole('region', { name: 'Messages (1)' })).toBeVisible();
    await expect(page.getByRole('link', { name: /Otto Brandt/ })).toBeVisible();
    await expect(
      page.getByRole('heading', { name: 'Past appointments to mark (1)' }),
    ).toBeVisible();
  },
  'home that cannot be loaded': async (page, watch) => {
    watch.expectError(/appointments.*ERR_FAILED/);
    await page.route('**/api/v1/appointments/**', (route) => route.abort());
    await openAs(page, await newSiteArtist(), '/');
    await expect(button(page, 'Try again').first()).toBeVisible();
  },
  'no requests yet': async (page) => {
    await openAs(page, await newSiteArtist({ scheduling_type: 'managed' }), PAGE_PATH);
    await expect(page.getByText('No requests are waiting')).toBeVisible();
  },
  'appointments that cannot be loaded': failsToLoad(PAGE_PATH, 'appointments'),
  'appointments of every status': async (page) => {
    await openAs(page, await createBusyArtist(), `${PAGE_PATH}?show=all`);
    await expect(page.getByRole('link', { name: /Otto Brandt/ })).toBeVisible();
  },
  'past appointments to mark': async (page) => {
    await openAs(page, await createBusyArtist(), `${PAGE_PATH}?show=unmarked`);
    await expect(page.getByRole('button', { name: /^Did not come/ })).toBeVisible();
  },
  'a marked appointment with its history, Undo beside it': async (page) => {
    await openAs(page, await createBusyArtist(), `${PAGE_PATH}?show=unmarked`);
    await page.getByRole('link', { name: /Mei Tan/ }).click();
    await page
      .getByRole('region', { name: 'The appointment that is open' })
      .getByRole('button', { name: 'Completed' })
      .click();
    await expect(button(page, 'Undo')).toBeVisible();
    await expect(page.getByText('You marked it as completed')).toBeVisible();
  },
  'a request whose offer the client declined': async (page) => {
    const artist = await createBusyArtist();
    const { id } = (await requestAppointment(artist.username)).body;
    await updateAppointment(artist.token, id, slotFrom(newYorkInstant(dateAhead(5), 10), 60));
    const decline = `POST /appointments/confirmation/${id}/decline` as const;
    await expectOk(callSite(decline, { json: { note: 'I am away that week.' } }));
    await openAs(page, artist, `${PAGE_PATH}?id=${id}`);
    await expect(page.getByText('“I am away that week.”').last()).toBeVisible();
  },
  'a request beside the list': openRequest,
  'an offer that overlaps another appointment': async (page) => {
    await openRequest(page);
    const dialog = await openActionDialog(page, 'Offer a time', /^Offer/);
    await pickTimeInDialog(dialog, { date: dateAhead(3), time: '10:30', minutes: '60' });
    await expect(dialog.getByText(/^Overlaps Otto Brandt/)).toBeVisible();
  },
  'an offer with messages': async (page) => {
    await openRequest(page);
    const dialog = await openActionDialog(page, 'Offer a time', /^Offer/);
    await pickTimeInDialog(dialog, { date: dateAhead(-3), minutes: '3' });
    await button(page, 'Make the offer').click();
    await expect(dialog.getByText(/^Must be a whole number/)).toBeVisible();
    await expect(dialog.getByText(/^Clocks skip/)).toHaveCount(0);
  },
  'declining with a note': async (page) => {
    await openRequest(page);
    await openActionDialog(page, 'Decline', 'Decline this request?');
  },
  'entering an appointment for a new client, with messages': async (page) => {
    await openAs(page, await newSiteArtist(), PAGE_PATH);
    const dialog = await openActionDialog(page, 'Enter an appointment', 'Enter an appointment');
    await dialog.getByRole('button', { name: 'Enter appointment' }).click();
    await expect(dialog.getByText('A name or an email is required')).toBeVisible();
  },
  'entering an appointment for an existing client': async (page) => {
    await openAs(page, await createBusyArtist(), PAGE_PATH);
    const dialog = await openActionDialog(page, 'Enter an appointment', 'Enter an appointment');
    await dialog.getByText('One of my clients').click();
    await expect(dialog.getByRole('button', { name: /Otto Brandt/ })).toBeVisible();
  },
  'a client who asked for a copy of their data, about to ask for its erasure': async (page) => {
    const artist = await newSiteArtist();
    const { id } = await enterAppointmentFor(artist, ROSA, 3);
    await askForData(id, 'copy');
    await page.goto(`/${artist.username}/confirmation/${id}/`);
    await waitForHydration(page);
    await page.getByText('Ask to erase my data').click();
    await expect(button(page, 'Yes, ask to erase it')).toBeVisible();
    await expect(page.getByText(/^You asked .* for a copy of your data on /)).toBeVisible();
  },
  'home with requests about data': async (page) => {
    const artist = await newSiteArtist();
    const { id } = await enterAppointmentFor(artist, ROSA, 3);
    await askForData(id, 'copy');
    await askForData(id, 'erasure');
    await openAs(page, artist, '/');
    await expect(page.getByRole('region', { name: 'Requests about data (2)' })).toBeVisible();
  },
  'a client with requests about their data, one of them done': async (page) => {
    const artist = await newSiteArtist();
    const { id, client } = await enterAppointmentFor(artist, ROSA, 3);
    await askForData(id, 'copy');
    await askForData(id, 'erasure');
    await openAs(page, artist, `/studio/clients?id=${client.id}`);
    await button(page, 'Done: The erasure of their data').click();
    await button(page, 'Mark as done').click();
    await expect(page.getByText(/^The erasure of their data: asked on .* done on /)).toBeVisible();
    await expect(button(page, 'Download their data')).toBeVisible();
  },
  'marking a request about data as done': async (page) => {
    const artist = await newSiteArtist();
    const { id, client } = await enterAppointmentFor(artist, ROSA, 3);
    await askForData(id, 'copy');
    await openAs(page, artist, `/studio/clients?id=${client.id}`);
    await openActionDialog(page, 'Done: A copy of their data', 'Mark this as done?');
  },
  'a declined request with its note, on the client’s page': async (page) => {
    const artist = await newSiteArtist({ scheduling_type: 'managed' });
    const { id } = (await requestAppointment(artist.username)).body;
    const json = { status: 'declined', note: 'I am away in June.' };
    await expectOk(callSite(`PATCH /appointments/${id}`, { token: artist.token, json }));
    await page.goto(`/${artist.username}/confirmation/${id}/`);
    await expect(page.getByText('I am away in June.')).toBeVisible();
  },
};

async function askForData(appointmentId: string, kind: DataRequestKind): Promise<void> {
  const ask = `POST /appointments/confirmation/${appointmentId}/data-request` as const;
  // As if the client had used a mailed link.
  await runStatement('UPDATE appointments SET email_proven = true WHERE id = $1', [appointmentId]);
  await expectOk(callSite(ask, { json: { kind } }));
}

async function openRequest(page: Page): Promise<void> {
  const artist = await createBusyArtist();
  const { id } = (await requestAppointment(artist.username)).body;
  await openAs(page, artist, `${PAGE_PATH}?id=${id}`);
  await expect(button(page, 'Offer a time')).toBeVisible();
}

/** An artist with an appointment, an unmarked one, an offer, a pending and a declined request, and a message. */
async function createBusyArtist(): Promise<TestArtist> {
  const artist = await newSiteArtist({ scheduling_type: 'managed' });
  const { username, token } = artist;
  await enterAppointment(token, slotFrom(newYorkInstant(dateAhead(3), 10), 60), {
    first_name: 'Otto',
    last_name: 'Brandt',
    email: 'otto@example.com',
  });
  const yesterday = slotFrom(newYorkInstant(dateAhead(-1), 10), 60);
  await enterAppointment(token, yesterday, { first_name: 'Mei', last_name: 'Tan' });
  const [offered, declined] = [
    await requestAppointment(username),
    await requestAppointment(username),
  ];
  await updateAppointment(token, offered.body.id, slotFrom(newYorkInstant(dateAhead(4), 10), 60));
  await updateAppointment(token, declined.body.id, { status: 'declined' });
  await requestAppointment(username);
  const message = { name: 'Hana Sato', email: 'hana@example.com', message: 'Hello there!' };
  await expectOk(callSite(`POST /users/artist/${username}/contact`, { json: message }));
  return artist;
}
