import { expect, type Page } from '@playwright/test';
import type { Appointment } from '#contract/appointment.ts';
import {
  button,
  field,
  fillIn,
  openForm,
  pickSlot,
  scriptsDone,
  toast,
} from './browser_booking.ts';
import { lapse } from './browser_lapse.ts';
import {
  askFor,
  bookSlot,
  call,
  change,
  confirm,
  demoArtist,
  FILLED_FORM,
  newArtist,
  openDays,
} from './browser_studio.ts';
import type { Watch } from './browser_watch.ts';
import { expectOk } from './calls.ts';
import type { TestArtist } from './new_artist.ts';

/** Something that the site can show. */
export interface Place {
  readonly name: string;
  open(page: Page, watch: Watch): Promise<void>;
}

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
const MISSING_PAGES: readonly string[] = ['/404', '/no/such/page/at/all'];

/** Pages at an address that is known beforehand. */
export const PAGES: readonly Place[] = [
  ...[...STILL_PAGES, '/cleo/scheduling'].map(
    (path): Place => ({
      name: path,
      open: async (page) => void (await page.goto(path)),
    }),
  ),
  ...MISSING_PAGES.map(
    (path): Place => ({
      name: path,
      async open(page, watch) {
        watch.expectTrouble(new RegExp(`GET ${path}: 404`));
        await page.goto(path);
      },
    }),
  ),
];

/** What the forms can show. */
export const FORMS: readonly Place[] = [
  {
    name: 'a contact form with messages',
    async open(page, watch) {
      watch.expectTrouble(/POST .*\/contact: 422/);
      await page.goto('/ana/contact');
      await button(page, 'Send Message').click();
      await expect(page.getByText('Email is required')).toBeVisible();
    },
  },
  {
    name: 'a contact form that was sent',
    open: async (page) => void (await page.goto('/ana/contact?sent=1')),
  },
  {
    name: 'the list of services',
    async open(page) {
      await page.goto('/ana/scheduling');
      await scriptsDone(page);
    },
  },
  {
    name: 'the calendar',
    async open(page) {
      await openAna(page);
      await expect(page.getByText(/\d days? with available times/)).toBeAttached();
    },
  },
  {
    name: 'the calendar while it loads',
    async open(page) {
      await page.route('**/availability?*', () => {});
      await openAna(page);
      // The first month comes with the page.
      await button(page, 'Next').click();
      await expect(page.getByText(/^Loading /)).toBeVisible();
    },
  },
  {
    name: 'a calendar that cannot be loaded',
    async open(page, watch) {
      watch.expectTrouble(/availability.*ERR_FAILED/);
      await page.route('**/availability?*', (route) => route.abort());
      await openAna(page);
      await button(page, 'Next').click();
      await expect(button(page, 'Try again')).toBeVisible();
    },
  },
  {
    name: 'a month without openings',
    async open(page) {
      await openForm(page, await newArtist({ schedule: { weekly: [] } }));
      await button(page, 'Show the next month with openings').click();
      await expect(page.getByText('There are none in the six months after it')).toBeVisible();
    },
  },
  {
    name: 'the times of a day, one of them picked',
    async open(page) {
      await pickTime(page, await newArtist());
    },
  },
  {
    name: 'a day whose times are all gone',
    async open(page, watch) {
      const artist = await newArtist();
      const day = await pickTime(page, artist);
      await fillIn(page, FILLED_FORM);
      for (const window of day.windows) await bookSlot(artist, window);
      watch.expectTrouble(/request\/service.*: 409/);
      await button(page, 'Save').click();
      await expect(page.getByText('No available times')).toBeVisible();
    },
  },
  {
    name: 'a booking form without a time, with messages',
    async open(page) {
      await openAna(page);
      await fillIn(page, { phone_number: '12', email: 'nowhere' });
      await field(page, 'first_name').focus();
      await button(page, 'Save').click();
      await expect(page.getByText('Please pick a date and a time')).toBeVisible();
    },
  },
  {
    name: 'a booking form with a message in the corner',
    async open(page, watch) {
      watch.expectTrouble(/request\/service.*ERR_FAILED/);
      await page.route('**/request/service?*', (route) => route.abort());
      await pickTime(page, await newArtist());
      await fillIn(page, FILLED_FORM);
      await button(page, 'Save').click();
      await expect(toast(page, 'The connection was lost')).toBeVisible();
    },
  },
  {
    name: 'a booking form that is being saved',
    async open(page) {
      await page.route('**/request/service?*', () => {});
      await pickTime(page, await newArtist());
      await fillIn(page, FILLED_FORM);
      await button(page, 'Save').click();
      await expect(button(page, 'Saving…')).toBeVisible();
    },
  },
  {
    name: 'a request form with its design',
    async open(page) {
      const { designs } = await demoArtist('bo');
      await page.goto(`/bo/scheduling?design=${designs[0]?.id}`);
      await scriptsDone(page);
    },
  },
  {
    name: 'a request form with messages',
    async open(page) {
      await page.goto('/bo/scheduling');
      await fillIn(page, { phone_number: '12', email: 'nowhere' });
      await button(page, 'Save').click();
      await expect(page.getByText('Invalid email address')).toBeVisible();
    },
  },
];

/** The confirmation page in every state of an appointment. */
export const CONFIRMATIONS: readonly Place[] = [
  confirmation('held', async (artist) => hold(artist)),
  confirmation('confirmed', async (artist) => confirmed(artist)),
  {
    name: 'an appointment that was confirmed just now',
    async open(page) {
      const artist = await newArtist();
      await page.goto(`/${artist.username}/confirmation/${await hold(artist)}/`);
      await scriptsDone(page);
      await button(page, 'Confirm Appointment').click();
      await expect(page.getByRole('status').filter({ hasText: 'Success!' })).toBeVisible();
    },
  },
  confirmation('completed', async (artist) => settled(artist, 'completed')),
  confirmation('no_show', async (artist) => settled(artist, 'no_show')),
  confirmation('cancelled', async (artist) => {
    const id = await hold(artist);
    await change(artist.token, id, { status: 'cancelled' });
    return id;
  }),
  confirmation('expired', async (artist) => {
    const id = await hold(artist);
    await lapse(id);
    return id;
  }),
  confirmation('requested', ask, 'managed'),
  confirmation(
    'offered',
    async (artist) => {
      const id = await ask(artist);
      const [day] = await openDays(artist);
      await change(artist.token, id, { ...day?.windows[0] });
      return id;
    },
    'managed',
  ),
  confirmation(
    'declined',
    async (artist) => {
      const id = await ask(artist);
      await change(artist.token, id, { status: 'declined' });
      return id;
    },
    'managed',
  ),
  {
    name: 'a requested appointment with its design',
    async open(page) {
      const { designs } = await demoArtist('bo');
      const { id } = await expectOk(askFor('bo', { design_id: designs[1]?.id }));
      await page.goto(`/bo/confirmation/${id}/`);
      await scriptsDone(page);
    },
  },
];

/** The words of each state, as the page's heading says them. */
const STATE_HEADINGS: Readonly<Record<string, string>> = {
  requested: 'Thanks for your request, Rosa',
  held: 'Confirm your appointment.',
  offered: 'Confirm your appointment.',
  confirmed: "You're booked!",
  declined: 'Your request was declined.',
  expired: 'This appointment was not confirmed in time.',
  cancelled: 'This appointment was cancelled.',
  completed: 'This appointment is done.',
  no_show: 'You missed this appointment.',
};

function confirmation(
  state: string,
  bring: (artist: TestArtist) => Promise<string>,
  scheduling_type: 'service' | 'managed' = 'service',
): Place {
  return {
    name: `an appointment that is ${state}`,
    async open(page) {
      const artist = await newArtist({ scheduling_type });
      const id = await bring(artist);
      await page.goto(`/${artist.username}/confirmation/${id}/`);
      await scriptsDone(page);
      await expect(
        page.getByRole('heading', { name: STATE_HEADINGS[state] ?? '', exact: true }),
      ).toBeVisible();
    },
  };
}

async function openAna(page: Page): Promise<void> {
  const { services } = await demoArtist('ana');
  await page.goto(`/ana/scheduling?service=${services[1]?.id}`);
  await scriptsDone(page);
}

async function pickTime(page: Page, artist: TestArtist) {
  const [day] = await openDays(artist);
  const [slot, other] = day?.windows ?? [];
  if (!day || !slot || !other) throw new Error('No open days');
  await openForm(page, artist);
  await pickSlot(page, day, slot);
  return day;
}

async function hold(artist: TestArtist): Promise<string> {
  const [day] = await openDays(artist);
  const slot = day?.windows[0];
  if (!slot) throw new Error('No open days');
  return (await expectOk(bookSlot(artist, slot))).id;
}

async function confirmed(artist: TestArtist): Promise<string> {
  const id = await hold(artist);
  await confirm(id);
  return id;
}

/** How it went is told of what has begun; only the artist enters such a one. */
async function settled({ token, service }: TestArtist, status: string): Promise<string> {
  const json = {
    client: { first_name: 'Rosa', email: FILLED_FORM.email },
    service_id: service.id,
    start: '2026-01-06T15:00:00Z',
    end: '2026-01-06T15:59:00Z',
  };
  const { id } = await expectOk(call<Appointment>('POST /appointments', { token, json }));
  await change(token, id, { status });
  return id;
}

async function ask({ username }: TestArtist): Promise<string> {
  return (await expectOk(askFor(username))).id;
}
