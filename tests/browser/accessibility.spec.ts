import { test } from '#support/browser.ts';
import { expectAccessible } from '#support/browser_axe.ts';
import { expectFits } from '#support/browser_layout.ts';
import { CONFIRMATIONS, FORMS, PAGES, type Place } from '#support/browser_places.ts';
import { APPOINTMENT_PLACES } from '#support/browser_places_appointments.ts';
import { ARTWORK_PLACES } from '#support/browser_places_artwork.ts';
import { AUTH_PLACES } from '#support/browser_places_auth.ts';
import { BILLING_PLACES } from '#support/browser_places_billing.ts';
import { CALENDAR_PLACES } from '#support/browser_places_calendar.ts';
import { MAIL_PLACES } from '#support/browser_places_mails.ts';
import { PROFILE_PLACES } from '#support/browser_places_profile.ts';

const PUBLIC_PLACES = [...PAGES, ...FORMS, ...CONFIRMATIONS];
const STUDIO_PLACES = [
  ...AUTH_PLACES,
  ...APPOINTMENT_PLACES,
  ...CALENDAR_PLACES,
  ...ARTWORK_PLACES,
  ...PROFILE_PLACES,
  ...MAIL_PLACES,
  ...BILLING_PLACES,
];

function expectAllAccessible(places: readonly Place[]): void {
  for (const { name, open } of places) {
    test(`axe finds nothing on ${name}, and nothing sticks out of it`, async ({ page, watch }) => {
      await open(page, watch);
      await expectFits(page);
      await expectAccessible(page);
    });
  }
}

test.describe('what clients see', () => expectAllAccessible(PUBLIC_PLACES));
test.describe('what artists see', () => expectAllAccessible(STUDIO_PLACES));
