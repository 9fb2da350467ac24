import { expect, test } from '#support/browser.ts';
import { accessibilityViolations, selectAppearances } from '#support/browser_axe.ts';
import { findLayoutOverflows } from '#support/browser_layout.ts';
import { resetPage } from '#support/browser_login.ts';
import {
  AUTH_PAGE_STATES,
  CONFIRMATION_STATES,
  FORM_STATES,
  PAGE_STATES,
  type PageStates,
} from '#support/browser_page_states.ts';
import { APPOINTMENT_PAGE_STATES, CALENDAR_PAGE_STATES } from './appointment_page_states.ts';
import { ARTWORK_PAGE_STATES, OTHER_PAGE_STATES } from './studio_page_states.ts';

const LISTS: Readonly<Record<string, PageStates>> = {
  'public pages': PAGE_STATES,
  'forms of clients': FORM_STATES,
  confirmations: CONFIRMATION_STATES,
  'signing up and logging in': AUTH_PAGE_STATES,
  appointments: APPOINTMENT_PAGE_STATES,
  'the calendar and the hours': CALENDAR_PAGE_STATES,
  'services and designs': ARTWORK_PAGE_STATES,
  'clients, the profile, billing and the operator’s page': OTHER_PAGE_STATES,
};
const SETUP_MS = 30_000;
const STATE_MS = 20_000;

for (const [list, all] of Object.entries(LISTS)) {
  const states = Object.entries(all);
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
