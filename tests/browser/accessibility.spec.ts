import { expect, test } from '#support/browser.ts';
import { type Appearance, accessibilityViolations, appearancesOf } from '#support/browser_axe.ts';
import { findLayoutOverflows } from '#support/browser_layout.ts';
import { resetPage } from '#support/browser_login.ts';
import {
  CONFIRMATION_STATES,
  FORM_STATES,
  PAGE_STATES,
  type Places,
} from '#support/browser_page_states.ts';
import { APPOINTMENT_PAGE_STATES } from '#support/browser_page_states_appointments.ts';
import { ARTWORK_PAGE_STATES } from '#support/browser_page_states_artwork.ts';
import { AUTH_PAGE_STATES } from '#support/browser_page_states_auth.ts';
import { BILLING_PAGE_STATES } from '#support/browser_page_states_billing.ts';
import { CALENDAR_PAGE_STATES } from '#support/browser_page_states_calendar.ts';
import { MAIL_PAGE_STATES } from '#support/browser_page_states_mails.ts';
import { PROFILE_PAGE_STATES } from '#support/browser_page_states_profile.ts';

const LISTS: Readonly<Record<string, Places>> = {
  'public pages': PAGE_STATES,
  'forms of clients': FORM_STATES,
  confirmations: CONFIRMATION_STATES,
  'signing up and logging in': AUTH_PAGE_STATES,
  appointments: APPOINTMENT_PAGE_STATES,
  'the calendar and the hours': CALENDAR_PAGE_STATES,
  'services and designs': ARTWORK_PAGE_STATES,
  'clients and the profile': PROFILE_PAGE_STATES,
  mail: MAIL_PAGE_STATES,
  billing: BILLING_PAGE_STATES,
};
/** Looked at by `npm test` too: each page once, where it shows most. All others: `npm run test:all`. */
const IN_EVERY_RUN: ReadonlySet<string> = new Set([
  '/',
  '/explore/',
  '/ana/',
  '/ana/services',
  '/ana/about',
  '/ana/contact',
  '/cleo/scheduling',
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
  'all appointments, whatever came of them',
  'a request beside the list',
  'an offer with messages',
  'an appointment by hand for someone new, with messages',
  'the calendar, by week',
  'an appointment opened on the calendar',
  'the hours, with a booking outside of them and more that is wrong',
  'the dialog that adds days off, with messages',
  'the services, one of them hidden and its menu open',
  'a new service with messages',
  'designs of every status',
  'a design that is edited',
  'the portfolio',
  'the clients',
  'a client, with a message and notes that are being typed',
  'the profile',
  'a picture that is being cropped',
  'the question before a new username',
  'an appointment with its mail',
  'home with mail that did not arrive',
  'billing when the card provider does not answer',
]);
const isAll = process.env['LINEWORK_TEST_ALL'] === '1';
const BEGIN_MS = 30_000;
const PLACE_MS = 20_000;

test('the places of every run are places of the lists, and every list has one', () => {
  const names = new Set(Object.values(LISTS).flatMap((places) => Object.keys(places)));
  expect([...IN_EVERY_RUN].filter((name) => !names.has(name))).toEqual([]);
  for (const [list, places] of Object.entries(LISTS))
    expect(
      Object.keys(places).filter((name) => IN_EVERY_RUN.has(name)).length,
      list,
    ).toBeGreaterThan(0);
});

for (const [list, all] of Object.entries(LISTS)) {
  const places = Object.entries(all).filter(([name]) => isAll || IN_EVERY_RUN.has(name));
  test(`axe finds nothing on ${list}, and nothing sticks out of its page`, async ({
    page,
    watch,
  }) => {
    test.setTimeout(BEGIN_MS + places.length * PLACE_MS);
    const viewport = page.viewportSize();
    for (const [index, [name, open]] of places.entries())
      await test.step(name, async () => {
        await resetPage(page);
        if (viewport) await page.setViewportSize(viewport);
        await open(page, watch);
        expect.soft(await findLayoutOverflows(page), `what sticks out of ${name}`).toEqual([]);
        for (const look of looksAt(index))
          expect
            .soft(await accessibilityViolations(page, look), `what axe finds on ${name}`)
            .toEqual([]);
        expect.soft(watch.unexpectedErrors(), `what went wrong on ${name}`).toEqual([]);
        watch.reset();
      });
  });
}

/** Places take turns, so that a list is looked at in both sizes and both schemes. */
function looksAt(index: number): readonly Appearance[] {
  const looks = appearancesOf(index);
  return isAll ? looks : looks.filter((_, turn) => turn === Math.floor(index / 2) % 2);
}
