import { expect, test } from '#support/browser.ts';
import { type Appearance, accessibilityViolations, appearancesOf } from '#support/browser_axe.ts';
import { findLayoutOverflows } from '#support/browser_layout.ts';
import { resetPage } from '#support/browser_login.ts';
import {
  CONFIRMATION_STATES,
  FORM_STATES,
  PAGE_STATES,
  type PageStates,
} from '#support/browser_page_states.ts';
import { ADMIN_PAGE_STATES } from '#support/browser_page_states_admin.ts';
import { APPOINTMENT_PAGE_STATES } from '#support/browser_page_states_appointments.ts';
import { ARTWORK_PAGE_STATES } from '#support/browser_page_states_artwork.ts';
import { AUTH_PAGE_STATES } from '#support/browser_page_states_auth.ts';
import { BILLING_PAGE_STATES } from '#support/browser_page_states_billing.ts';
import { CALENDAR_PAGE_STATES } from '#support/browser_page_states_calendar.ts';
import { MAIL_PAGE_STATES } from '#support/browser_page_states_mails.ts';
import { PRICE_PAGE_STATES } from '#support/browser_page_states_prices.ts';
import { PROFILE_PAGE_STATES } from '#support/browser_page_states_profile.ts';

const LISTS: Readonly<Record<string, PageStates>> = {
  'public pages': PAGE_STATES,
  'forms of clients': FORM_STATES,
  confirmations: CONFIRMATION_STATES,
  'signing up and logging in': AUTH_PAGE_STATES,
  appointments: APPOINTMENT_PAGE_STATES,
  'the calendar and the hours': CALENDAR_PAGE_STATES,
  'services and designs': ARTWORK_PAGE_STATES,
  'prices and editions': PRICE_PAGE_STATES,
  'clients and the profile': PROFILE_PAGE_STATES,
  mail: MAIL_PAGE_STATES,
  billing: BILLING_PAGE_STATES,
  'the operator’s page': ADMIN_PAGE_STATES,
};
/** The states that `npm test` checks: the fullest state of each page. `npm run test:all` checks all. */
const IN_EVERY_RUN: ReadonlySet<string> = new Set([
  '/',
  '/explore/',
  '/privacy/',
  '/ana/',
  '/ana/services',
  '/ana/about',
  '/ana/contact',
  '/cleo/scheduling',
  'the page of a design',
  'a picture of the portfolio',
  'the page of a claimed design',
  'the page of an artist with services and no designs',
  'the page of an artist who sets the times, without designs',
  'the own page with the way back to the studio',
  '/404',
  'a contact form with messages',
  'the times of a day, one of them picked',
  'a booking form without a time, with messages',
  'a booking form with a message in the corner',
  'a request form with its design',
  'an appointment that is held',
  'an appointment that is confirmed',
  'a requested appointment with its design',
  '/login',
  '/recover-password',
  'the second step of signing up with messages',
  'the time zones',
  'home with appointments, requests and messages',
  'appointments of every status',
  'a request beside the list',
  'a client who asked for a copy of their data, about to ask for its erasure',
  'a client with requests about their data, one of them done',
  'a marked appointment with its history, Undo beside it',
  'an offer with messages',
  'entering an appointment for a new client, with messages',
  'the calendar, by week',
  'an appointment opened on the calendar',
  'invalid hours, with messages',
  'the dialog that adds days off, with messages',
  'the services, one of them hidden and its menu open',
  'a new service with messages',
  'designs of every status',
  'a design being edited, with messages',
  'the page of a design with all its facts',
  'a form whose design was just taken, with designs like it',
  'drafts as a sheet, with messages',
  'an appointment with a price, a payment and notes',
  'home with what was received in a month',
  'the portfolio',
  'the clients',
  'a client with unsaved notes and a message',
  'the profile',
  'a picture being cropped',
  'the confirmation before changing the username',
  'an appointment with its mail',
  'home with mail that did not arrive',
  'billing when the card provider does not answer',
  'the operator’s artists',
  'a recovery link',
  'an error of the server',
  'the server and what the doctor found',
]);
const isAll = process.env['LINEWORK_TEST_ALL'] === '1';
const SETUP_MS = 30_000;
const STATE_MS = 20_000;

test('the states of IN_EVERY_RUN exist, and every list has at least one of them', () => {
  const names = new Set(Object.values(LISTS).flatMap((states) => Object.keys(states)));
  expect([...IN_EVERY_RUN].filter((name) => !names.has(name))).toEqual([]);
  for (const [list, states] of Object.entries(LISTS))
    expect(
      Object.keys(states).filter((name) => IN_EVERY_RUN.has(name)).length,
      list,
    ).toBeGreaterThan(0);
});

for (const [list, all] of Object.entries(LISTS)) {
  const states = Object.entries(all).filter(([name]) => isAll || IN_EVERY_RUN.has(name));
  test(`${list}: axe finds no violations, and nothing overflows`, async ({ page, watch }) => {
    test.setTimeout(SETUP_MS + states.length * STATE_MS);
    const viewport = page.viewportSize();
    for (const [index, [name, open]] of states.entries())
      await test.step(name, async () => {
        await resetPage(page);
        if (viewport) await page.setViewportSize(viewport);
        await open(page, watch);
        expect.soft(await findLayoutOverflows(page), `overflows on ${name}`).toEqual([]);
        for (const appearance of selectAppearances(index))
          expect
            .soft(await accessibilityViolations(page, appearance), `axe violations on ${name}`)
            .toEqual([]);
        expect.soft(watch.unexpectedErrors(), `browser errors on ${name}`).toEqual([]);
        watch.reset();
      });
  });
}

/** Alternates by index, so that each list is checked in both sizes and both schemes. */
function selectAppearances(index: number): readonly Appearance[] {
  const appearances = appearancesOf(index);
  return isAll ? appearances : appearances.filter((_, turn) => turn === Math.floor(index / 2) % 2);
}
