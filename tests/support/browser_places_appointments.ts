import { expect, type Page } from '@playwright/test';
import { ask, dayAhead, enter, newYork, pickTime, timeFrom } from './browser_appointments.ts';
import { button } from './browser_booking.ts';
import { logInAs } from './browser_login.ts';
import type { Place } from './browser_places.ts';
import { askFor, call, change, newArtist } from './browser_studio.ts';
import { expectOk } from './calls.ts';
import type { TestArtist } from './new_artist.ts';

/** The studio's home and appointments in what they can show. */
export const APPOINTMENT_PLACES: readonly Place[] = [
  {
    name: 'home with its checklist',
    async open(page) {
      await openPage(page, '/', await newArtist({ scheduling_type: null }));
      await expect(page.getByText('Get ready for your first booking')).toBeVisible();
    },
  },
  {
    name: 'home with appointments, requests and messages',
    async open(page) {
      const artist = await busyArtist();
      await openPage(page, '/', artist);
      await expect(page.getByRole('region', { name: 'Messages (1)' })).toBeVisible();
      await expect(page.getByRole('link', { name: /Otto Brandt/ })).toBeVisible();
    },
  },
  {
    name: 'home that cannot be loaded',
    async open(page, watch) {
      watch.expectTrouble(/appointments.*ERR_FAILED/);
      await page.route('**/api/v1/appointments/**', (route) => route.abort());
      await openPage(page, '/', await newArtist());
      await expect(button(page, 'Try again').first()).toBeVisible();
    },
  },
  {
    name: 'no requests yet',
    async open(page) {
      await openPage(page, PAGE, await newArtist({ scheduling_type: 'managed' }));
      await expect(page.getByText('No requests are waiting')).toBeVisible();
    },
  },
  {
    name: 'appointments that cannot be loaded',
    async open(page, watch) {
      watch.expectTrouble(/appointments.*ERR_FAILED/);
      await page.route('**/api/v1/appointments/?*', (route) => route.abort());
      await openPage(page, PAGE, await newArtist());
      await expect(button(page, 'Try again')).toBeVisible();
    },
  },
  {
    name: 'all appointments, whatever came of them',
    async open(page) {
      await openPage(page, `${PAGE}?show=all`, await busyArtist());
      await expect(page.getByRole('link', { name: /Otto Brandt/ })).toBeVisible();
    },
  },
  {
    name: 'a request beside the list',
    open: openRequest,
  },
  {
    name: 'an offer that overlaps another appointment',
    async open(page) {
      await openRequest(page);
      const dialog = await ask(page, 'Offer a time', /^Offer/);
      await pickTime(dialog, { date: dayAhead(3), time: '10:30', minutes: '60' });
      await expect(dialog.getByText(/^Overlaps Otto Brandt/)).toBeVisible();
    },
  },
  {
    name: 'an offer with messages',
    async open(page) {
      await openRequest(page);
      const dialog = await ask(page, 'Offer a time', /^Offer/);
      await pickTime(dialog, { date: dayAhead(-3), minutes: '3' });
      await button(page, 'Make the offer').click();
      await expect(dialog.getByText(/^Must be a whole number/)).toBeVisible();
      await expect(dialog.getByText(/^Clocks skip/)).toHaveCount(0);
    },
  },
  {
    name: 'declining with a note',
    async open(page) {
      await openRequest(page);
      await ask(page, 'Decline', 'Decline this request?');
    },
  },
  {
    name: 'an appointment by hand for someone new, with messages',
    async open(page) {
      await openPage(page, PAGE, await newArtist());
      const dialog = await ask(page, 'Enter an appointment', 'Enter an appointment');
      await dialog.getByRole('button', { name: 'Enter appointment' }).click();
      await expect(dialog.getByText('A name or an email is required')).toBeVisible();
    },
  },
  {
    name: 'an appointment by hand for one of the clients',
    async open(page) {
      await openPage(page, PAGE, await busyArtist());
      const dialog = await ask(page, 'Enter an appointment', 'Enter an appointment');
      await dialog.getByText('One of my clients').click();
      await expect(dialog.getByRole('button', { name: /Otto Brandt/ })).toBeVisible();
    },
  },
  {
    name: 'a declined request with its note, on the client’s page',
    async open(page) {
      const artist = await newArtist({ scheduling_type: 'managed' });
      const { id } = (await askFor(artist.username)).body;
      const json = { status: 'declined', note: 'I am away in June.' };
      await expectOk(call(`PATCH /appointments/${id}`, { token: artist.token, json }));
      await page.goto(`/${artist.username}/confirmation/${id}/`);
      await expect(page.getByText('I am away in June.')).toBeVisible();
    },
  },
];

const PAGE = '/studio/appointments';

async function openPage(page: Page, path: string, artist: TestArtist): Promise<void> {
  await logInAs(page, artist);
  await page.goto(path);
}

async function openRequest(page: Page): Promise<void> {
  const artist = await busyArtist();
  const { id } = (await askFor(artist.username)).body;
  await openPage(page, `${PAGE}?id=${id}`, artist);
  await expect(button(page, 'Offer a time')).toBeVisible();
}

/** Who has one of each: an appointment, an offer, requests waiting and declined, a message. */
async function busyArtist(): Promise<TestArtist> {
  const artist = await newArtist({ scheduling_type: 'managed' });
  const { username, token } = artist;
  await enter(token, timeFrom(newYork(dayAhead(3), 10), 60), {
    first_name: 'Otto',
    last_name: 'Brandt',
    email: 'otto@example.com',
  });
  const [offered, declined] = [await askFor(username), await askFor(username)];
  await change(token, offered.body.id, timeFrom(newYork(dayAhead(4), 10), 60));
  await change(token, declined.body.id, { status: 'declined' });
  await askFor(username);
  const message = { name: 'Hana Sato', email: 'hana@example.com', message: 'Hello there!' };
  await expectOk(call(`POST /users/artist/${username}/contact`, { json: message }));
  return artist;
}
