import { expect, type Page } from '@playwright/test';
import {
  bookSiteSlot,
  callSite,
  FILLED_FORM,
  findOpenDay,
  loadDemoArtist,
  newSiteArtist,
  type OpenDay,
  requestAppointment,
  updateAppointment,
} from './browser_api.ts';
import { addDesigns } from './browser_artwork.ts';
import {
  button,
  field,
  fillFields,
  openBookingForm,
  pickSlot,
  toast,
  waitForHydration,
} from './browser_booking.ts';
import { bookAppointment } from './browser_calendar.ts';
import { enterAppointmentFor } from './browser_clients.ts';
import { runStatement } from './browser_database.ts';
import type { ErrorWatch } from './browser_errors.ts';
import { expireAppointment } from './browser_expiry.ts';
import { openAs } from './browser_login.ts';
import { expectOk } from './call_api.ts';
import type { TestArtist } from './new_artist.ts';

type OpenPageState = (page: Page, watch: ErrorWatch) => Promise<void>;
/** States of pages, by name, each with a function that opens the page in that state. */
export type PageStates = Readonly<Record<string, OpenPageState>>;

/** Pages without a script file. Those of demo artists contain many pictures. */
const PAGES_WITHOUT_SCRIPTS: readonly string[] = [
  '/',
  '/explore/',
  '/privacy/',
  '/ana/',
  '/ana/services',
  '/ana/about',
  '/ana/contact',
  '/bo/',
  '/bo/services',
  '/bo/about',
  '/cleo/',
];

/** Pages of demo data without a script file, whose paths have ids that each site makes anew. */
const PAGES_WITH_IDS = {
  'the page of a design': async () =>
    `/ana/designs/${(await loadDemoArtist('ana')).designs[1]?.id}`,
  'the page of a design on request': async () =>
    `/bo/designs/${(await loadDemoArtist('bo')).designs[0]?.id}`,
  'a picture of the portfolio': async () =>
    `/ana/about/${(await loadDemoArtist('ana')).portfolio[1]?.id}`,
} as const;

/** The paths of all pages without a script file. */
export async function listPagesWithoutScripts(): Promise<readonly string[]> {
  const paths = await Promise.all(Object.values(PAGES_WITH_IDS).map((path) => path()));
  return [...PAGES_WITHOUT_SCRIPTS, ...paths];
}

/** Pages that need no setup. */
export const PAGE_STATES: PageStates = {
  ...Object.fromEntries(
    [...PAGES_WITHOUT_SCRIPTS, '/cleo/scheduling'].map((path) => [path, opens(path)]),
  ),
  ...Object.fromEntries(
    Object.entries(PAGES_WITH_IDS).map(([name, path]) => [
      name,
      async (page: Page) => void (await page.goto(await path())),
    ]),
  ),
  'a city of Explore without artists': async (page) => {
    await page.goto('/explore/?city=Nowhere');
    await expect(page.getByText('Nobody in Nowhere is listed yet.')).toBeVisible();
  },
  'the page of a claimed design': async (page) => {
    const artist = await newSiteArtist();
    const [design] = await addDesigns(artist, ['Swallow']);
    await expectOk(
      callSite(`PATCH /designs/${design?.id}`, {
        token: artist.token,
        json: { status: 'claimed' },
      }),
    );
    await page.goto(`/${artist.username}/designs/${design?.id}`);
    await expect(page.getByText('Claimed: someone already has it.')).toBeVisible();
  },
  'the page of an artist with services and no designs': async (page) => {
    await page.goto(`/${(await newSiteArtist()).username}/`);
    await expect(page.getByText('You can book an appointment:')).toBeVisible();
  },
  'the page of an artist who sets the times, without designs': async (page) => {
    await page.goto(`/${(await newSiteArtist({ scheduling_type: 'managed' })).username}/`);
    await expect(page.getByRole('link', { name: 'Book Now!' })).toBeVisible();
  },
  'the own page with the way back to the studio': async (page) => {
    await page.goto('/ana/#studio');
    await expect(page.getByRole('link', { name: 'Back to the studio' })).toBeVisible();
  },
  'a link of a mail that stops mail, cut off': async (page, watch) => {
    watch.expectError(/stop-mail.*: 400/);
    await page.goto('/stop-mail?token=cut-off');
    await expect(page.getByRole('alert')).toBeVisible();
  },
  'a link of a mail that confirms an email': async (page) => {
    await page.goto('/prove-email?token=made-up');
    await waitForHydration(page);
  },
  '/404': missingAt('/404'),
  '/no/such/page/at/all': missingAt('/no/such/page/at/all'),
};

/** The states of the clients' forms. */
export const FORM_STATES: PageStates = {
  'a contact form with messages': async (page, watch) => {
    watch.expectError(/POST .*\/contact: 422/);
    await page.goto('/ana/contact');
    await button(page, 'Send Message').click();
    await expect(page.getByText('Email is required')).toBeVisible();
  },
  'a form for a lost link with a message': async (page, watch) => {
    watch.expectError(/POST .*\/contact\?links: 422/);
    await page.goto('/ana/contact');
    await button(page, 'Mail me my link again').click();
    await expect(page.getByText('Email is required')).toBeVisible();
  },
  'a form for a lost link that was sent': async (page) =>
    void (await page.goto('/ana/contact?links=sent')),
  'a contact form that was sent': async (page) => void (await page.goto('/ana/contact?sent=1')),
  'the list of services': async (page) => {
    await page.goto('/ana/scheduling');
    await waitForHydration(page);
  },
  'the calendar': async (page) => {
    await openAna(page);
    await expect(page.getByText(/\d days? with available times/)).toBeAttached();
  },
  'the calendar while it loads': async (page) => {
    await page.route('**/availability?*', () => {});
    await openAna(page);
    // The page itself contains the first month.
    await button(page, 'Next').click();
    await expect(page.getByText(/^Loading /)).toBeVisible();
  },
  'a calendar that cannot be loaded': async (page, watch) => {
    watch.expectError(/availability.*ERR_FAILED/);
    await page.route('**/availability?*', (route) => route.abort());
    await openAna(page);
    await button(page, 'Next').click();
    await expect(button(page, 'Try again')).toBeVisible();
  },
  'a month without openings': async (page) => {
    await openBookingForm(page, await newSiteArtist({ schedule: { weekly: [] } }));
    // The page has searched by itself.
    await expect(page.getByText('There are none in the six months after it')).toBeVisible();
  },
  'the times of a day, one of them picked': async (page) => {
    await pickTime(page, await newSiteArtist());
  },
  'a day whose times are all booked': async (page, watch) => {
    const artist = await newSiteArtist();
    const day = await pickTime(page, artist);
    await fillFields(page, FILLED_FORM);
    for (const slot of day.windows) await bookSiteSlot(artist, slot);
    watch.expectError(/request\/service.*: 409/);
    await button(page, 'Save').click();
    await expect(page.getByText('No available times')).toBeVisible();
  },
  'a booking form without a time, with messages': async (page) => {
    await openAna(page);
    await fillFields(page, { phone_number: '12', email: 'nowhere' });
    await field(page, 'first_name').focus();
    await button(page, 'Save').click();
    await expect(page.getByText('Please pick a date and a time')).toBeVisible();
  },
  'a booking form with a message in the corner': async (page, watch) => {
    watch.expectError(/request\/service.*ERR_FAILED/);
    await page.route('**/request/service?*', (route) => route.abort());
    await pickTime(page, await newSiteArtist());
    await fillFields(page, FILLED_FORM);
    await button(page, 'Save').click();
    await expect(toast(page, 'The connection was lost')).toBeVisible();
  },
  'a booking form that is being saved': async (page) => {
    await page.route('**/request/service?*', () => {});
    await pickTime(page, await newSiteArtist());
    await fillFields(page, FILLED_FORM);
    await button(page, 'Save').click();
    await expect(button(page, 'Saving…')).toBeVisible();
  },
  'a request form with its design': async (page) => {
    const { designs } = await loadDemoArtist('bo');
    await page.goto(`/bo/scheduling?design=${designs[0]?.id}`);
    await waitForHydration(page);
  },
  'a request form with messages': async (page) => {
    await page.goto('/bo/scheduling');
    await fillFields(page, { phone_number: '12', email: 'nowhere' });
    await button(page, 'Save').click();
    await expect(page.getByText('Invalid email address')).toBeVisible();
  },
};

/** The confirmation page in every state of an appointment. */
export const CONFIRMATION_STATES: PageStates = {
  'an appointment that only the mailed link confirms': confirmationState(
    'One more step: look into your mail.',
    async (artist) => {
      const id = await createHold(artist);
      await runStatement('UPDATE appointments SET must_prove_email = true WHERE id = $1', [id]);
      return id;
    },
  ),
  'an appointment that is held': confirmationState('Confirm your appointment.', createHold),
  'an appointment that is confirmed': confirmationState("You're booked!", async (artist) =>
    bookAppointment(artist, (await findOpenDay(artist)).day, 0, 'Rosa'),
  ),
  'an appointment that was confirmed just now': async (page) => {
    const artist = await newSiteArtist();
    await page.goto(`/${artist.username}/confirmation/${await createHold(artist)}/`);
    await waitForHydration(page);
    await button(page, 'Confirm Appointment').click();
    await expect(page.getByRole('status').filter({ hasText: 'Success!' })).toBeVisible();
  },
  'an appointment that is completed': confirmationState('This appointment is done.', (artist) =>
    createCompleted(artist, 'completed'),
  ),
  'an appointment that is no_show': confirmationState('You missed this appointment.', (artist) =>
    createCompleted(artist, 'no_show'),
  ),
  'an appointment that is cancelled': confirmationState(
    'This appointment was cancelled.',
    async (artist) => changeAndGetId(artist, await createHold(artist), { status: 'cancelled' }),
  ),
  'an appointment that is expired': confirmationState(
    'This appointment was not confirmed in time.',
    async (artist) => {
      const id = await createHold(artist);
      await expireAppointment(id);
      return id;
    },
  ),
  'an appointment that is requested': confirmationState(
    'Thanks for your request, Rosa',
    sendRequest,
    'managed',
  ),
  'an appointment that is offered': confirmationState(
    'Confirm your appointment.',
    async (artist) =>
      changeAndGetId(artist, await sendRequest(artist), (await findOpenDay(artist)).slot),
    'managed',
  ),
  'an appointment that is declined': confirmationState(
    'Your request was declined.',
    async (artist) => changeAndGetId(artist, await sendRequest(artist), { status: 'declined' }),
    'managed',
  ),
  'a requested appointment with its design': async (page) => {
    const { designs } = await loadDemoArtist('bo');
    const { id } = await expectOk(requestAppointment('bo', { design_id: designs[1]?.id }));
    await page.goto(`/bo/confirmation/${id}/`);
    await waitForHydration(page);
  },
};

function opens(path: string): OpenPageState {
  return async (page) => void (await page.goto(path));
}

function missingAt(path: string): OpenPageState {
  return async (page, watch) => {
    watch.expectError(new RegExp(`GET ${path}: 404`));
    await page.goto(path);
  };
}

/** A page of the studio whose list, such as `clients`, cannot be loaded. */
export function failsToLoad(path: string, list: string): OpenPageState {
  return async (page, watch) => {
    watch.expectError(new RegExp(`${list}.*ERR_FAILED`));
    await page.route(`**/api/v1/${list}/?*`, (route) => route.abort());
    await openAs(page, await newSiteArtist(), path);
    await expect(button(page, 'Try again')).toBeVisible();
  };
}

/** @param create creates the appointment and returns its id */
function confirmationState(
  heading: string,
  create: (artist: TestArtist) => Promise<string>,
  scheduling_type: 'service' | 'managed' = 'service',
): OpenPageState {
  return async (page) => {
    const artist = await newSiteArtist({ scheduling_type });
    await page.goto(`/${artist.username}/confirmation/${await create(artist)}/`);
    await waitForHydration(page);
    await expect(page.getByRole('heading', { name: heading, exact: true })).toBeVisible();
  };
}

async function openAna(page: Page): Promise<void> {
  const { services } = await loadDemoArtist('ana');
  await page.goto(`/ana/scheduling?service=${services[1]?.id}`);
  await waitForHydration(page);
}

async function pickTime(page: Page, artist: TestArtist): Promise<OpenDay> {
  const { day, slot } = await findOpenDay(artist);
  await openBookingForm(page, artist);
  await pickSlot(page, day, slot);
  return day;
}

async function createHold(artist: TestArtist): Promise<string> {
  const { slot } = await findOpenDay(artist);
  return (await expectOk(bookSiteSlot(artist, slot))).id;
}

async function sendRequest({ username }: TestArtist): Promise<string> {
  return (await expectOk(requestAppointment(username))).id;
}

async function changeAndGetId(
  { token }: TestArtist,
  id: string,
  changes: Parameters<typeof updateAppointment>[2],
): Promise<string> {
  return (await updateAppointment(token, id, changes)).id;
}

/** Completes a past appointment, which only the artist can enter. */
async function createCompleted(artist: TestArtist, status: string): Promise<string> {
  const { id } = await enterAppointmentFor(
    artist,
    { first_name: 'Rosa', email: FILLED_FORM.email },
    -2,
  );
  return changeAndGetId(artist, id, { status });
}
