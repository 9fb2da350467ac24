import type { CDPSession, Page } from '@playwright/test';
import { expect, test } from '#support/browser.ts';
import { button, waitForHydration } from '#support/browser_booking.ts';
import { successToast } from '#support/browser_clients.ts';
import { waitForMail } from '#support/browser_inbox.ts';
import { logInAs } from '#support/browser_login.ts';
import { namedSiteUrl } from '#support/browser_server.ts';
import { PASSWORD, type TestArtist } from '#support/new_artist.ts';

// Passkeys belong to a domain, not to an IP address. The tested site is `localhost` by its settings.
test.use({
  baseURL: namedSiteUrl(),
});

let session: CDPSession | undefined;
// The page may be that of the next test.
test.afterEach(async () => {
  await session?.send('WebAuthn.disable');
  await session?.detach();
  session = undefined;
});

/** Adds a virtual device that makes and uses passkeys, as a phone with a fingerprint reader does. */
async function addDevice(page: Page, { isUserVerified = true } = {}) {
  const device = await page.context().newCDPSession(page);
  session = device;
  await device.send('WebAuthn.enable');
  const { authenticatorId } = await device.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified,
      automaticPresenceSimulation: true,
    },
  });
  return {
    list: async () =>
      (await device.send('WebAuthn.getCredentials', { authenticatorId })).credentials,
  };
}

async function openPasskeys(page: Page, artist: TestArtist) {
  await logInAs(page, artist);
  await page.goto('/studio/profile#passkeys');
  return page.getByRole('region', { name: 'Passkeys' });
}

async function addPasskey(page: Page, password = PASSWORD): Promise<void> {
  await button(page, 'Add a passkey…').click();
  const dialog = page.getByRole('dialog', { name: 'Add a passkey' });
  await dialog.getByLabel('Your password', { exact: true }).fill(password);
  await dialog.getByRole('button', { name: 'Continue' }).click();
}

async function logOut(page: Page): Promise<void> {
  await page.evaluate(() => localStorage.removeItem('access_token'));
  await page.goto('/login');
  await waitForHydration(page);
}

test('an artist adds a passkey, logs in with it, ends other logins with it, and removes it', async ({
  page,
  artist,
  watch,
}) => {
  const device = await addDevice(page);
  const section = await openPasskeys(page, artist);
  watch.expectError(/passkeys\/options: 400$/);
  await addPasskey(page, 'not my password');
  await expect(page.getByText('That is not your password')).toBeVisible();
  await button(page, 'Cancel').click();
  await addPasskey(page);
  await expect(successToast(page, 'Added.')).toBeVisible();
  await expect(section.getByText('Not used yet')).toBeVisible();
  expect(await device.list()).toHaveLength(1);
  expect((await waitForMail(artist.self.email, /a passkey was added/)).text).toContain('Chrome');

  await logOut(page);
  await button(page, 'Log In with a Passkey').click();
  await expect(page).toHaveURL(/\/$/);
  await page.goto('/studio/profile#passkeys');
  await expect(section.getByText(/Last used/)).toBeVisible();
  await button(page, 'Log out all others…').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Use a passkey' }).click();
  await expect(successToast(page, 'Logged out.')).toBeVisible();

  await section.getByRole('button', { name: /^Remove/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(successToast(page, 'Removed.')).toBeVisible();
  await expect(section.getByRole('listitem')).toBeHidden();
  watch.expectError(/login\/passkey: 400$/);
  await logOut(page);
  await button(page, 'Log In with a Passkey').click();
  await expect(page.getByText('This passkey does not work here.')).toBeVisible();
});
