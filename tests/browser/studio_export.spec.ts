import { readFile } from 'node:fs/promises';
import { unzipSync } from 'fflate';
import { expect, test } from '#support/browser.ts';
import { button } from '#support/browser_booking.ts';
import { enterAppointmentFor } from '#support/browser_clients.ts';
import { findLinkPath, waitForMail } from '#support/browser_inbox.ts';
import { logInAs } from '#support/browser_login.ts';

const ROSA = { first_name: 'Rosa', last_name: 'Quint', email: 'rosa@example.com' };

test.use({ viewport: { width: 390, height: 844 } });

test('an artist exports everything before deleting the account, and downloads it', {
  tag: '@all',
}, async ({ page, artist }) => {
  await enterAppointmentFor(artist, ROSA, -2);
  await logInAs(page, artist);
  await page.goto('/studio/profile');
  await button(page, 'Delete the account…').click();
  await button(page, 'Export everything first').click();
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(page).toHaveURL(/#data$/);
  const section = page.getByRole('region', { name: 'Your data' });
  await expect(section).toBeInViewport();
  await button(page, 'Export everything').click();
  const link = section.getByRole('link', { name: /^Download \(\d+ KB\)/ });
  await expect(link).toBeVisible({ timeout: 30_000 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);

  const download = page.waitForEvent('download');
  await link.click();
  const file = await download;
  expect(file.suggestedFilename()).toMatch(
    new RegExp(`^linework-${artist.username}-\\d{4}-\\d\\d-\\d\\d\\.zip$`),
  );
  const contents = unzipSync(await readFile(await file.path()));
  expect(Buffer.from(contents['clients.csv'] ?? []).toString()).toContain('Rosa,Quint,');
  await expect(page).toHaveURL(/#data$/);

  const mail = await waitForMail(artist.self.email, /your export is ready/);
  expect(findLinkPath(mail, /^\/studio\/profile$/)).toBe('/studio/profile');
  await section.getByRole('button', { name: /^Delete/ }).click();
  await expect(link).toBeHidden();
});
