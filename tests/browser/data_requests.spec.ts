// A client asks for a copy of their data, or for its erasure, and the artist answers; on a phone.
import type { Page } from '@playwright/test';
import { expect, test } from '#support/browser.ts';
import { bookSiteSlot, confirmAppointment, findOpenDay } from '#support/browser_api.ts';
import { button, waitForHydration } from '#support/browser_booking.ts';
import { successToast } from '#support/browser_clients.ts';
import { findLinkPath, waitForMail } from '#support/browser_inbox.ts';
import { expectFits } from '#support/browser_layout.ts';
import { logInAs } from '#support/browser_login.ts';
import { expectOk } from '#support/call_api.ts';

/** Books a held time, and opens the page by the link in the mail, which proves who asks. */
async function openMailedLink(page: Page, id: string, email: string): Promise<void> {
  await confirmAppointment(id);
  const mail = await waitForMail(email, /Booked/);
  await page.goto(findLinkPath(mail, /^\/confirmation\//));
  await waitForHydration(page);
}

test('a client asks for a copy of their data; the artist is told, downloads it and marks it as done, which the client sees', {
  tag: '@all',
}, async ({ page, artist }) => {
  const { slot } = await findOpenDay(artist);
  const { id } = await expectOk(bookSiteSlot(artist, slot, { email: 'rosa.copy@example.com' }));
  const clientPath = `/${artist.username}/confirmation/${id}/`;
  await openMailedLink(page, id, 'rosa.copy@example.com');
  await button(page, 'Ask for a copy').click();
  const section = page.getByRole('region', { name: 'Your data' });
  await expect(section.getByText(/^You asked .* for a copy of your data on /)).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Your data' })).toBeFocused();
  await expectFits(page);
  const mail = await waitForMail(artist.self.email, /asks for a copy of their data/);

  await logInAs(page, artist);
  await page.goto('/');
  const home = page.getByRole('region', { name: 'Requests about data (1)' });
  await expect(home.getByText('A copy of their data')).toBeVisible();
  await expectFits(page);
  await home.getByRole('link').click();
  await expect(page).toHaveURL(findLinkPath(mail, /^\/studio\/clients$/));
  const download = page.waitForEvent('download');
  await button(page, 'Download their data').click();
  expect((await download).suggestedFilename()).toMatch(/\.html$/);
  await expectFits(page);
  await button(page, 'Done: A copy of their data').click();
  await button(page, 'Mark as done').click();
  await expect(successToast(page, 'The page of their appointment says so.')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Requests about their data' })).toBeFocused();
  await page.goto('/');
  await expect(page.getByRole('region', { name: 'Requests waiting' })).toBeVisible();
  await expect(home).toHaveCount(0);

  await page.goto(clientPath);
  await expect(section.getByText(/It was marked as done on /)).toBeVisible();
  await expect(button(page, 'Ask for a copy')).toHaveCount(0);
});
