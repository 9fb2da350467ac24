import { expect, type Page } from '@playwright/test';
import {
  button,
  field,
  fillIn,
  openForm,
  pickSlot,
  scriptsDone,
  toast,
} from './browser_booking.ts';
import { booked, openDay } from './browser_calendar.ts';
import { enterVisit } from './browser_clients.ts';
import { lapse } from './browser_lapse.ts';
import { openAs } from './browser_login.ts';
import {
  askFor,
  bookSlot,
  change,
  type Day,
  demoArtist,
  FILLED_FORM,
  newArtist,
  type Slot,
} from './browser_studio.ts';
import type { Watch } from './browser_watch.ts';
import { expectOk } from './calls.ts';
import type { TestArtist } from './new_artist.ts';

type OpenPlace = (page: Page, watch: Watch) => Promise<void>;
/** What the site can show, by name, and how it is opened. */
export type Places = Readonly<Record<string, OpenPlace>>;

/** Pages without any script; a demo artist's are full of pictures. */
export const STILL_PAGES: readonly string[] = [
  '/',
  '/explore/',
  '/ana/',
  '/ana/services',
  '/ana/about',
  '/ana/contact',
  '/bo/',
  '/bo/services',
  '/bo/about',
  '/cleo/',
];

/** Pages at an address that is known beforehand. */
export const PAGES: Places = {
  ...Object.fromEntries([...STILL_PAGES, '/cleo/scheduling'].map((path) => [path, at(path)])),
  '/404': missingAt('/404'),
  '/no/such/page/at/all': missingAt('/no/such/page/at/all'),
};

/** What the forms can show. */
export const FORMS: Places = {
  'a contact form with messages': async (page, watch) => {
    watch.expectTrouble(/POST .*\/contact: 422/);
    await page.goto('/ana/contact');
    await button(page, 'Send Message').click();
    await expect(page.getByText('Email is required')).toBeVisible();
  },
  'a contact form that was sent': async (page) => void (await page.goto('/ana/contact?sent=1')),
  'the list of services': async (page) => {
    await page.goto('/ana/scheduling');
    await scriptsDone(page);
  },
  'the calendar': async (page) => {
    await openAna(page);
    await expect(page.getByText(/\d days? with available times/)).toBeAttached();
  },
  'the calendar while it loads': async (page) => {
    await page.route('**/availability?*', () => {});
    await openAna(page);
    // The first month comes with the page.
    await button(page, 'Next').click();
    await expect(page.getByText(/^Loading /)).toBeVisible();
  },
  'a calendar that cannot be loaded': async (page, watch) => {
    watch.expectTrouble(/availability.*ERR_FAILED/);
    await page.route('**/availability?*', (route) => route.abort());
    await openAna(page);
    await button(page, 'Next').click();
    await expect(button(page, 'Try again')).toBeVisible();
  },
  'a month without openings': async (page) => {
    await openForm(page, await newArtist({ schedule: { weekly: [] } }));
    await button(page, 'Show the next month with openings').click();
    await expect(page.getByText('There are none in the six months after it')).toBeVisible();
  },
  'the times of a day, one of them picked': async (page) => {
    await pickTime(page, await newArtist());
  },
  'a day whose times are all gone': async (page, watch) => {
    const artist = await newArtist();
    const day = await pickTime(page, artist);
    await fillIn(page, FILLED_FORM);
    for (const window of day.windows) await bookSlot(artist, window);
    watch.expectTrouble(/request\/service.*: 409/);
    await button(page, 'Save').click();
    await expect(page.getByText('No available times')).toBeVisible();
  },
  'a booking form without a time, with messages': async (page) => {
    await openAna(page);
    await fillIn(page, { phone_number: '12', email: 'nowhere' });
    await field(page, 'first_name').focus();
    await button(page, 'Save').click();
    await expect(page.getByText('Please pick a date and a time')).toBeVisible();
  },
  'a booking form with a message in the corner': async (page, watch) => {
    watch.expectTrouble(/request\/service.*ERR_FAILED/);
    await page.route('**/request/service?*', (route) => route.abort());
    await pickTime(page, await newArtist());
    await fillIn(page, FILLED_FORM);
    await button(page, 'Save').click();
    await expect(toast(page, 'The connection was lost')).toBeVisible();
  },
  'a booking form that is being saved': async (page) => {
    await page.route('**/request/service?*', () => {});
    await pickTime(page, await newArtist());
    await fillIn(page, FILLED_FORM);
    await button(page, 'Save').click();
    await expect(button(page, 'Saving…')).toBeVisible();
  },
  'a request form with its design': async (page) => {
    const { designs } = await demoArtist('bo');
    await page.goto(`/bo/scheduling?design=${designs[0]?.id}`);
    await scriptsDone(page);
  },
  'a request form with messages': async (page) => {
    await page.goto('/bo/scheduling');
    await fillIn(page, { phone_number: '12', email: 'nowhere' });
    await button(page, 'Save').click();
    await expect(page.getByText('Invalid email address')).toBeVisible();
  },
};

/** The confirmation page in every state of an appointment. */
export const CONFIRMATIONS: Places = {
  'an appointment that is held': confirmation('Confirm your appointment.', hold),
  'an appointment that is confirmed': confirmation("You're booked!", async (artist) =>
    booked(artist, await openDay(artist), 0, 'Rosa'),
  ),
  'an appointment that was confirmed just now': async (page) => {
    const artist = await newArtist();
    await page.goto(`/${artist.username}/confirmation/${await hold(artist)}/`);
    await scriptsDone(page);
    await button(page, 'Confirm Appointment').click();
    await expect(page.getByRole('status').filter({ hasText: 'Success!' })).toBeVisible();
  },
  'an appointment that is completed': confirmation('This appointment is done.', (artist) =>
    settled(artist, 'completed'),
  ),
  'an appointment that is no_show': confirmation('You missed this appointment.', (artist) =>
    settled(artist, 'no_show'),
  ),
  'an appointment that is cancelled': confirmation(
    'This appointment was cancelled.',
    async (artist) => changed(artist, await hold(artist), { status: 'cancelled' }),
  ),
  'an appointment that is expired': confirmation(
    'This appointment was not confirmed in time.',
    async (artist) => {
      const id = await hold(artist);
      await lapse(id);
      return id;
    },
  ),
  'an appointment that is requested': confirmation(
    'Thanks for your request, Rosa',
    sendRequest,
    'managed',
  ),
  'an appointment that is offered': confirmation(
    'Confirm your appointment.',
    async (artist) => changed(artist, await sendRequest(artist), await firstSlot(artist)),
    'managed',
  ),
  'an appointment that is declined': confirmation(
    'Your request was declined.',
    async (artist) => changed(artist, await sendRequest(artist), { status: 'declined' }),
    'managed',
  ),
  'a requested appointment with its design': async (page) => {
    const { designs } = await demoArtist('bo');
    const { id } = await expectOk(askFor('bo', { design_id: designs[1]?.id }));
    await page.goto(`/bo/confirmation/${id}/`);
    await scriptsDone(page);
  },
};

function at(path: string): OpenPlace {
  return async (page) => void (await page.goto(path));
}

function missingAt(path: string): OpenPlace {
  return async (page, watch) => {
    watch.expectTrouble(new RegExp(`GET ${path}: 404`));
    await page.goto(path);
  };
}

/** A page of the studio whose list, such as `clients`, cannot be loaded. */
export function unloadable(path: string, list: string): OpenPlace {
  return async (page, watch) => {
    watch.expectTrouble(new RegExp(`${list}.*ERR_FAILED`));
    await page.route(`**/api/v1/${list}/?*`, (route) => route.abort());
    await openAs(page, await newArtist(), path);
    await expect(button(page, 'Try again')).toBeVisible();
  };
}

/** @param create makes the appointment, and answers its id */
function confirmation(
  heading: string,
  create: (artist: TestArtist) => Promise<string>,
  scheduling_type: 'service' | 'managed' = 'service',
): OpenPlace {
  return async (page) => {
    const artist = await newArtist({ scheduling_type });
    await page.goto(`/${artist.username}/confirmation/${await create(artist)}/`);
    await scriptsDone(page);
    await expect(page.getByRole('heading', { name: heading, exact: true })).toBeVisible();
  };
}

async function openAna(page: Page): Promise<void> {
  const { services } = await demoArtist('ana');
  await page.goto(`/ana/scheduling?service=${services[1]?.id}`);
  await scriptsDone(page);
}

async function pickTime(page: Page, artist: TestArtist): Promise<Day> {
  const day = await openDay(artist);
  const [slot, other] = day.windows;
  if (!slot || !other) throw new Error('There is no choice of times');
  await openForm(page, artist);
  await pickSlot(page, day, slot);
  return day;
}

async function firstSlot(artist: TestArtist): Promise<Slot> {
  const [slot] = (await openDay(artist)).windows;
  if (!slot) throw new Error('There is no free time');
  return slot;
}

async function hold(artist: TestArtist): Promise<string> {
  return (await expectOk(bookSlot(artist, await firstSlot(artist)))).id;
}

async function sendRequest({ username }: TestArtist): Promise<string> {
  return (await expectOk(askFor(username))).id;
}

async function changed(
  { token }: TestArtist,
  id: string,
  changes: Parameters<typeof change>[2],
): Promise<string> {
  return (await change(token, id, changes)).id;
}

/** How it went is told of what has begun; only the artist enters such a one. */
async function settled(artist: TestArtist, status: string): Promise<string> {
  const { id } = await enterVisit(artist, { first_name: 'Rosa', email: FILLED_FORM.email }, -2);
  return changed(artist, id, { status });
}
