import type { Page } from '@playwright/test';
import { expect, test } from '#support/browser.ts';
import { bookSiteSlot, callSite, confirmAppointment, findOpenDay } from '#support/browser_api.ts';
import { button } from '#support/browser_booking.ts';
import { logInAs } from '#support/browser_login.ts';
import { expectOk } from '#support/call_api.ts';

/** Opens a page in a browser that seems to lack a feature, one of those that came last before a floor. */
async function openWithout(missing: string, page: Page, path: string): Promise<void> {
  await page.addInitScript((name) => {
    const { supports } = CSS;
    const isSupported = (property: string, value: string) =>
      !value.startsWith(name) && supports(property, value);
    Object.assign(CSS, { supports: isSupported });
    for (const owner of [Array.prototype, window, CSS]) Reflect.deleteProperty(owner, name);
  }, missing);
  await page.goto(path);
}

// The next test has a page without the script above.
test.afterEach(({ page }) => page.close());

for (const [path, purpose, missing] of [
  ['/ana/scheduling', 'to book here', 'toSorted'],
  ['/ana/scheduling', 'to book here', 'CompressionStream'],
  ['/bo/scheduling', 'to send this form', 'lch'],
  ['/login', 'to log in here', 'lch'],
  ['/signup', 'to sign up here', 'lch'],
  ['/studio/calendar', 'for the studio', 'registerProperty'],
  ['/#logged-in', 'for the studio', 'light-dark'],
] as const)
  test(`a browser without ${missing} is told on ${path} that it is too old, and starts no island`, {
    tag: '@all',
  }, async ({ page, artist }) => {
    if (path === '/#logged-in') await logInAs(page, artist);
    await openWithout(missing, page, path);
    await expect(
      page.getByRole('heading', { name: `This browser is too old ${purpose}.` }),
    ).toBeVisible();
    await expect(page.locator('astro-island:visible, astro-island:not([ssr])')).toHaveCount(0);
    if (path === '/#logged-in') {
      await button(page, 'Log out').click();
      await expect(page).toHaveURL('/');
      expect((await callSite('GET /users/me', artist)).status).toBe(401);
    }
    if (!path.endsWith('/scheduling')) return;
    await page.getByRole('link', { name: 'contact page' }).filter({ visible: true }).click();
    await expect(button(page, 'Send Message')).toBeEnabled();
  });

test("a browser that is too old posts a client's forms, and is told why nothing can be moved", {
  tag: '@all',
}, async ({ page, artist }) => {
  const json = { client_move_notice_hours: 0 };
  await expectOk(callSite('PATCH /users/me/schedule', { token: artist.token, json }));
  const { slot } = await findOpenDay(artist);
  const { id } = await expectOk(bookSiteSlot(artist, slot));
  await confirmAppointment(id);
  await openWithout('toSorted', page, `/${artist.username}/confirmation/${id}/`);
  await expect(page.getByText('This browser is too old to move an appoint')).toBeVisible();
  await expect(page.getByText(/^Move|move it here/).filter({ visible: true })).toHaveCount(0);
  await page.getByText('Cancel appointment').click();
  await button(page, 'Cancel this appointment').click();
  await expect(page.getByText('This appointment was cancelled.')).toBeVisible();
  await expect(page.getByText('This browser is too old')).toHaveCount(0);
});
