import { expect, type Page } from '@playwright/test';
import { refusalAnswer } from '#server/api/error_answers.ts';
import {
  bookSiteSlot,
  findOpenDay,
  loadDemoArtist,
  newSiteArtist,
  requestAppointment,
} from './browser_api.ts';
import { button, field, fillFields, waitForHydration } from './browser_booking.ts';
import { bookAppointment } from './browser_calendar.ts';
import { runStatement } from './browser_database.ts';
import type { ErrorWatch } from './browser_errors.ts';
import { expectOk } from './call_api.ts';
import { PASSWORD, type TestArtist } from './new_artist.ts';

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

/** Public pages. */
export const PAGE_STATES: PageStates = {
  '/ana/': opens('/ana/'),
  '/ana/about': opens('/ana/about'),
  'the page of a design': async (page) =>
    void (await page.goto(await PAGES_WITH_IDS['the page of a design']())),
  '/': opens('/'),
  '/explore/': opens('/explore/'),
  'a picture of the portfolio': async (page) =>
    void (await page.goto(await PAGES_WITH_IDS['a picture of the portfolio']())),
  '/cleo/scheduling': opens('/cleo/scheduling'),
  'the page of an artist with services and no designs': async (page) => {
    await page.goto(`/${(await newSiteArtist()).username}/`);
    await expect(page.getByText('You can book an appointment:')).toBeVisible();
  },
  'the own page with the way back to the studio': async (page) => {
    await page.goto('/ana/#studio');
    await expect(page.getByRole('link', { name: 'Back to the studio' })).toBeVisible();
  },
  '/404': async (page, watch) => {
    watch.expectError(/GET \/404: 404/);
    await page.goto('/404');
  },
};

/** The states of the clients' forms. */
export const FORM_STATES: PageStates = {
  'a contact form with messages': async (page, watch) => {
    watch.expectError(/POST .*\/contact: 422/);
    await page.goto('/ana/contact');
    await button(page, 'Send Message').click();
    await expect(page.getByText('Email is required')).toBeVisible();
  },
  'a booking form without a time, with messages': async (page) => {
    await openAna(page);
    await fillFields(page, { phone_number: '12', email: 'nowhere' });
    await field(page, 'first_name').focus();
    await button(page, 'Save').click();
    await expect(page.getByText('Please pick a date and a time')).toBeVisible();
  },
  'a request form whose design is gone, with what is like it': async (page, watch) => {
    const { designs } = await loadDemoArtist('bo');
    const alike = designs.slice(1, 4).map(({ id, name, image }) => {
      return { id, name, file_url: image.file_url };
    });
    const { detail } = refusalAnswer('design_not_available');
    const json = { detail, reason: 'design_not_available', alike };
    await page.route('**/api/v1/appointments/request/**', (route) =>
      route.fulfill({ status: 409, json }),
    );
    watch.expectError(/appointments\/request.*: 409/);
    await page.goto(`/bo/scheduling?design=${designs[0]?.id}`);
    await waitForHydration(page);
    await fillFields(page, { email: 'rosa@example.com' });
    await button(page, 'Save').click();
    await expect(page.getByRole('list', { name: 'Designs like it' })).toBeVisible();
  },
  'a request form with its design': async (page) => {
    const { designs } = await loadDemoArtist('bo');
    await page.goto(`/bo/scheduling?design=${designs[0]?.id}`);
    await waitForHydration(page);
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
  'a requested appointment with its design': async (page) => {
    const { designs } = await loadDemoArtist('bo');
    const { id } = await expectOk(requestAppointment('bo', { design_id: designs[1]?.id }));
    await page.goto(`/bo/confirmation/${id}/`);
    await waitForHydration(page);
  },
};

/** States of signup, login and password recovery. */
export const AUTH_PAGE_STATES: PageStates = {
  'the second step of signing up with messages': async (page) => {
    await openStudioStep(page);
    await button(page, 'Sign Up').click();
    await expect(page.getByText('City is required')).toBeVisible();
  },
  'the time zones': async (page) => {
    await openStudioStep(page);
    await page.getByRole('combobox').fill('america');
    await expect(page.getByRole('option', { name: 'America/Chicago' })).toBeVisible();
  },
  '/recover-password': opens('/recover-password'),
};

function opens(path: string): OpenPageState {
  return async (page) => void (await page.goto(path));
}

/** @param create creates the appointment and returns its id */
function confirmationState(
  heading: string,
  create: (artist: TestArtist) => Promise<string>,
): OpenPageState {
  return async (page) => {
    const artist = await newSiteArtist();
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

async function createHold(artist: TestArtist): Promise<string> {
  const { slot } = await findOpenDay(artist);
  return (await expectOk(bookSiteSlot(artist, slot))).id;
}

async function openStudioStep(page: Page): Promise<void> {
  await page.goto('/signup');
  await waitForHydration(page);
  await page.getByLabel('Full name').fill('Ines Kowal');
  await page.getByLabel('Username').fill('nobody-yet');
  await page.getByLabel('Email').fill('nobody@example.com');
  for (const label of ['Password', 'Confirm password'])
    await page.getByLabel(label, { exact: true }).fill(PASSWORD);
  await button(page, 'Next').click();
  await expect(page.getByLabel('Studio name')).toBeVisible();
}
