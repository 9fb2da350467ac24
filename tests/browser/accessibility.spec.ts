import { expect, test } from '#support/browser.ts';
import { accessibilityFaults } from '#support/browser_axe.ts';
import { layoutFaults } from '#support/browser_layout.ts';
import { startAnew } from '#support/browser_login.ts';
import { CONFIRMATIONS, FORMS, PAGES, type Place } from '#support/browser_places.ts';
import { APPOINTMENT_PLACES } from '#support/browser_places_appointments.ts';
import { ARTWORK_PLACES } from '#support/browser_places_artwork.ts';
import { AUTH_PLACES } from '#support/browser_places_auth.ts';
import { BILLING_PLACES } from '#support/browser_places_billing.ts';
import { CALENDAR_PLACES } from '#support/browser_places_calendar.ts';
import { MAIL_PLACES } from '#support/browser_places_mails.ts';
import { PROFILE_PLACES } from '#support/browser_places_profile.ts';

const LISTS: Readonly<Record<string, readonly Place[]>> = {
  'public pages': PAGES,
  'forms of clients': FORMS,
  confirmations: CONFIRMATIONS,
  'signing up and logging in': AUTH_PLACES,
  appointments: APPOINTMENT_PLACES,
  'the calendar and the hours': CALENDAR_PLACES,
  'services and designs': ARTWORK_PLACES,
  'clients and the profile': PROFILE_PLACES,
  mail: MAIL_PLACES,
  billing: BILLING_PLACES,
};
const PLACE_MS = 20_000;

for (const [list, places] of Object.entries(LISTS)) {
  test(`axe finds nothing on ${list}, and nothing sticks out of its page`, async ({
    page,
    watch,
  }) => {
    test.setTimeout(places.length * PLACE_MS);
    const viewport = page.viewportSize();
    for (const { name, open } of places)
      await test.step(name, async () => {
        await startAnew(page);
        if (viewport) await page.setViewportSize(viewport);
        await open(page, watch);
        expect.soft(await layoutFaults(page), `what sticks out of ${name}`).toEqual([]);
        expect.soft(await accessibilityFaults(page), `what axe finds on ${name}`).toEqual([]);
        expect.soft(watch.surprises(), `what went wrong on ${name}`).toEqual([]);
        watch.forget();
      });
  });
}
