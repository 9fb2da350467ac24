import { expect, type Page } from '@playwright/test';
import type { OutgoingMail } from '#contract/mail.ts';
import type { DataRequestKind } from '#domain/clients/data_request.ts';
import {
  bookSiteSlot,
  callSite,
  findOpenDay,
  newSiteArtist,
  requestAppointment,
  updateAppointment,
} from '#support/browser_api.ts';
import {
  dateAhead,
  enterAppointment,
  newYorkInstant,
  openActionDialog,
  pickTimeInDialog,
  slotFrom,
} from '#support/browser_appointments.ts';
import { button, waitForHydration } from '#support/browser_booking.ts';
import { bookAppointment, calendarAppointment, openCalendar } from '#support/browser_calendar.ts';
import { enterAppointmentFor } from '#support/browser_clients.ts';
import { runStatement } from '#support/browser_database.ts';
import { logInAs, openAs } from '#support/browser_login.ts';
import { createSentMail } from '#support/browser_mail_log.ts';
import type { PageStates } from '#support/browser_page_states.ts';
import { expectOk } from '#support/call_api.ts';
import type { TestArtist } from '#support/new_artist.ts';

const PAGE_PATH = '/studio/appointments';
const ROSA = { first_name: 'Rosa', last_name: 'Quint', email: 'rosa@example.com' };

/** States of the studio's home and appointments, with their mail and requests about data. */
export const APPOINTMENT_PAGE_STATES: PageStates = {
  'home with appointments, requests and messages': async (page) => {
    const artist = await createBusyArtist();
    await openAs(page, artist, '/');
    await expect(page.getByRole('region', { name: 'Messages (1)' })).toBeVisible();
    await expect(page.getByRole('link', { name: /Otto Brandt/ })).toBeVisible();
    await expect(
      page.getByRole('heading', { name: 'Past appointments to mark (1)' }),
    ).toBeVisible();
  },
  'appointments of every status': async (page) => {
    await openAs(page, await createBusyArtist(), `${PAGE_PATH}?show=all`);
    await expect(page.getByRole('link', { name: /Otto Brandt/ })).toBeVisible();
  },
  'an offer with messages': async (page) => {
    await openRequest(page);
    const dialog = await openActionDialog(page, 'Offer a time', /^Offer/);
    await pickTimeInDialog(dialog, { date: dateAhead(-3), minutes: '3' });
    await button(page, 'Make the offer').click();
    await expect(dialog.getByText(/^Must be a whole number/)).toBeVisible();
    await expect(dialog.getByText(/^Clocks skip/)).toHaveCount(0);
  },
  'entering an appointment for a new client, with messages': async (page) => {
    await openAs(page, await newSiteArtist(), PAGE_PATH);
    const dialog = await openActionDialog(page, 'Enter an appointment', 'Enter an appointment');
    await dialog.getByRole('button', { name: 'Enter appointment' }).click();
    await expect(dialog.getByText('A name or an email is required')).toBeVisible();
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
  'an appointment with its mail': async (page) => {
    const artist = await newSiteArtist();
    const { id } = await enterAppointmentFor(artist, ROSA, 3);
    const data = mailsInEveryState(id);
    await page.route('**/api/v1/mails/?*', (route) =>
      route.fulfill({ json: { data, count: data.length } }),
    );
    await openAs(page, artist, `${PAGE_PATH}?id=${id}`);
    await expect(page.getByText('Booking confirmation to Rosa')).toBeVisible();
  },
};

/** One mail in each state. */
function mailsInEveryState(appointmentId: string): readonly OutgoingMail[] {
  const mail = (parts: Partial<OutgoingMail>) => createSentMail(appointmentId, parts);
  return [
    mail({
      status: 'queued',
      settled_at: null,
      can_send_again: false,
      kind: 'moved',
      failure: 'The mail server did not answer.',
    }),
    mail({ kind: 'reminder', hours_ahead: 24, status: 'dropped', can_send_again: false }),
    mail({ kind: 'reminder', hours_ahead: 72 }),
    mail({
      status: 'failed',
      failure: 'The mail server refused it: 550 No such user.',
      address: 'roza-with-an-address-as-long-as-they-may-come@a-very-long-domain.example.com',
    }),
    mail({ kind: 'new_booking', recipient: 'artist', address: 'ines@example.com' }),
    mail({ kind: 'hold', can_send_again: false }),
    mail({ kind: 'moved', status: 'saved' }),
  ];
}

async function askForData(appointmentId: string, kind: DataRequestKind): Promise<void> {
  const ask = `POST /appointments/confirmation/${appointmentId}/data-request` as const;
  // As if the client had used a mailed link.
  await runStatement('UPDATE appointments SET mail_link_used = true WHERE id = $1', [
    appointmentId,
  ]);
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

/** States of the studio's calendar and hours. */
export const CALENDAR_PAGE_STATES: PageStates = {
  ...Object.fromEntries(
    ['week', 'month'].map((view) => [
      `the calendar, by ${view}`,
      (page: Page) => openCalendarWithAppointments(page, view),
    ]),
  ),
  'an appointment opened on the calendar': async (page) => {
    await openCalendarWithAppointments(page, 'day');
    await calendarAppointment(page, 'Rosa').click();
    await expect(button(page, 'Move to another time')).toBeVisible();
  },
  'invalid hours, with messages': async (page) => {
    const artist = await newSiteArtist();
    await bookAppointment(artist, (await findOpenDay(artist)).day, 0, 'Rosa');
    await openHours(page, artist);
    await button(page, 'Add hours on Monday').click();
    await page.getByLabel('Monday, hours 2, from').fill('11:00');
    await page.getByLabel('A start every').selectOption('other');
    await page.getByLabel('A start every, in minutes').fill('1');
    await page.getByLabel('Days ahead').fill('');
    await button(page, 'Save').click();
    await expect(page.getByText('Between 0 and 731 days')).toBeVisible();
  },
  'the dialog that adds days off, with messages': async (page) => {
    await openHours(page, await newSiteArtist());
    await button(page, 'Add days').click();
    await page.getByRole('radio', { name: 'open at other hours' }).check();
    await button(page, 'Add').click();
    await expect(page.getByText('Enter a day')).toBeVisible();
  },
};

/** Opens a calendar with a confirmed and an unconfirmed appointment, on the first open day. */
async function openCalendarWithAppointments(page: Page, view: string): Promise<void> {
  const artist = await newSiteArtist();
  const { day, third } = await findOpenDay(artist);
  await bookAppointment(artist, day, 0, 'Rosa');
  await expectOk(bookSiteSlot(artist, third, { first_name: 'Mila', email: 'mila@example.com' }));
  await logInAs(page, artist);
  await openCalendar(page, view, day.date);
  await expect(calendarAppointment(page, 'Rosa')).toHaveCount(1);
  await expect(calendarAppointment(page, 'Mila')).toHaveCount(1);
}

async function openHours(page: Page, artist: TestArtist): Promise<void> {
  await openAs(page, artist, '/studio/hours');
  await waitForHydration(page);
  await expect(page.getByRole('heading', { name: 'Weekly hours' })).toBeVisible();
  await expect(page.getByText('Loading')).toHaveCount(0);
}
