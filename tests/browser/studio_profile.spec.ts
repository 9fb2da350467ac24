import type { Page } from '@playwright/test';
import sharp from 'sharp';
import type { Artist, ArtistSelf } from '#contract/artist.ts';
import { expect, test } from '#support/browser.ts';
import { choose } from '#support/browser_artwork.ts';
import { button, clock } from '#support/browser_booking.ts';
import { enterVisit, expectWrong, told } from '#support/browser_clients.ts';
import { tabTo } from '#support/browser_keyboard.ts';
import { logInAs } from '#support/browser_login.ts';
import { call, newArtist } from '#support/browser_studio.ts';
import { expectOk } from '#support/calls.ts';
import { PASSWORD, type TestArtist } from '#support/new_artist.ts';

const ROSA = { first_name: 'Rosa', last_name: 'Quint', email: 'rosa@example.com' };
const NEW_PASSWORD = 'battery staple';

async function openProfile(page: Page, artist: TestArtist): Promise<void> {
  await logInAs(page, artist);
  await page.goto('/studio/profile');
  await expect(page.getByLabel('Full name')).toBeVisible();
}

/** The artist as anyone sees them. */
function shown(username: string): Promise<Artist> {
  return expectOk(call<Artist>(`GET /users/artist/${username}`));
}

/** A picture in four colors: red and green above, blue and white below. */
async function fourColors(): Promise<{ name: string; mimeType: string; buffer: Buffer }> {
  const side = 400;
  const part = (background: string) =>
    sharp({ create: { width: side, height: side, channels: 3, background } })
      .png()
      .toBuffer();
  const [red, green, blue] = await Promise.all(['#ff0000', '#00ff00', '#0000ff'].map(part));
  const buffer = await sharp({
    create: { width: 2 * side, height: 2 * side, channels: 3, background: '#ffffff' },
  })
    .composite([
      { input: red, left: 0, top: 0 },
      { input: green, left: side, top: 0 },
      { input: blue, left: 0, top: side },
    ])
    .png()
    .toBuffer();
  return { name: 'me.png', mimeType: 'image/png', buffer };
}

test('what the artist says about themselves is on their page', async ({ page, artist }) => {
  await openProfile(page, artist);
  await expect(button(page, 'Save about you')).toBeDisabled();
  await page.getByLabel('Full name').fill('Ines K. Kowal');
  await page.getByLabel('About', { exact: true }).fill('Fine lines only.');
  await page.getByLabel('Instagram').fill('@ines.ink');
  await page.getByLabel('Facebook').fill('facebook.com/ines.ink?ref=share');
  await button(page, 'Save about you').click();
  await expect(told(page, 'Your page shows it')).toBeVisible();
  await expect(page.getByLabel('Instagram')).toHaveValue('https://www.instagram.com/ines.ink');
  await expect(page.getByLabel('Facebook')).toHaveValue('https://www.facebook.com/ines.ink');
  await expect(button(page, 'Save about you')).toBeDisabled();

  await page.goto(`/${artist.username}/about`);
  await expect(page.getByText('Fine lines only.')).toBeVisible();
  await expect(page.getByText('Ines K. Kowal').first()).toBeVisible();
  await expect(page.getByRole('link', { name: 'Instagram' })).toHaveAttribute(
    'href',
    'https://www.instagram.com/ines.ink',
  );
});

test('what is wrong is said beside its field, and what was typed stays', async ({
  page,
  artist,
  watch,
}) => {
  const other = await newArtist();
  await openProfile(page, artist);
  const name = page.getByLabel('Full name');
  await name.fill('');
  await page.getByLabel('Instagram').fill('not a handle!');
  await button(page, 'Save about you').click();
  await expectWrong(name, 'Full Name is required');
  await expectWrong(page.getByLabel('Instagram'), 'Not a handle');

  await name.fill('Ines');
  await page.getByLabel('Instagram').fill('');
  await page.getByLabel('Email').fill(other.self.email);
  watch.expectTrouble(/PATCH .*\/users\/me: 409/);
  await button(page, 'Save about you').click();
  await expectWrong(page.getByLabel('Email'), 'An account with this email already exists');
  await expect(name).toHaveValue('Ines');
  expect((await shown(artist.username)).full_name).toBe('Ines Kowal');
});

test('leaving with changes that are not saved asks first', async ({ page, artist }) => {
  await openProfile(page, artist);
  await page.getByLabel('Full name').click();
  await page.keyboard.type(' II');
  const asked: string[] = [];
  page.on('dialog', (dialog) => {
    asked.push(dialog.type());
    void dialog.accept();
  });
  await page.goto('/studio/clients');
  expect(asked).toEqual(['beforeunload']);
  await page.goto('/studio/profile');
  expect(asked).toEqual(['beforeunload']);
});

test('a picture that cannot be sent can be sent again', async ({ page, artist, watch }) => {
  await openProfile(page, artist);
  await choose(page, 'Choose a picture', [await fourColors()]);
  await page.route('**/users/me/avatar', (route) => route.abort(), { times: 1 });
  watch.expectTrouble(/avatar.*ERR_FAILED/);
  await button(page, 'Use this picture').click();
  await expect(page.getByText('The connection was lost. Please try again.')).toBeVisible();
  await button(page, 'Use this picture').click();
  await expect(told(page, 'Your new picture is on your page.')).toBeVisible();
});

test('appointments that cannot be read are not taken for none', async ({ page, artist, watch }) => {
  await enterVisit(artist, ROSA, 3);
  await page.route('**/appointments/?*', (route) => route.abort(), { times: 1 });
  watch.expectTrouble(/appointments.*ERR_FAILED/);
  await openProfile(page, artist);
  await page.getByLabel('City').fill('Boston');
  await button(page, 'Try again').click();
  await expect(page.getByText('Your upcoming appointment will show')).toBeVisible();
});

test('a picture is cropped, sent and shown on the page', async ({ page, artist }) => {
  await openProfile(page, artist);
  await choose(page, 'Choose a picture', [await fourColors()]);
  await expect(page.getByRole('dialog', { name: 'Crop your picture' })).toBeVisible();
  // Smaller from the bottom right corner, then all the way up and to the left: only red is left.
  const corner = page.getByRole('button', { name: /^Bottom right corner/ });
  await corner.focus();
  for (let press = 0; press < 4; press += 1) await page.keyboard.press('Control+ArrowUp');
  const part = page.getByRole('group', { name: /^The part that is shown/ });
  await part.focus();
  await page.keyboard.press('Control+ArrowLeft');
  await page.keyboard.press('Control+ArrowUp');
  await button(page, 'Use this picture').click();
  await expect(told(page, 'Your new picture is on your page.')).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  const avatar = page.getByRole('img', { name: 'You, as clients see you' });
  await expect(avatar).toBeVisible();
  await expect(button(page, 'Choose another picture')).toBeVisible();

  const { avatar_url } = await shown(artist.username);
  const response = await page.request.get(avatar_url ?? '');
  const picture = sharp(await response.body());
  const { width, height } = await picture.metadata();
  expect(width).toBe(height);
  const { channels } = await picture.stats();
  expect(channels.slice(0, 3).map(({ mean }) => Math.round(mean / 255))).toEqual([1, 0, 0]);

  await page.goto(`/${artist.username}/`);
  await expect(page.locator(`img[src="${avatar_url}"]`)).toBeVisible();
});

test('a file that is no picture is refused in words', async ({ page, artist }) => {
  await openProfile(page, artist);
  const text = { name: 'me.png', mimeType: 'image/png', buffer: Buffer.from('no picture') };
  await choose(page, 'Choose a picture', [text]);
  await expect(page.getByText('Only JPEG, PNG, WebP and AVIF pictures can be used')).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('a new username says what changes, and the old page is gone', async ({
  page,
  artist,
  baseURL,
  watch,
}) => {
  const username = `${artist.username.slice(0, 12)}-new`;
  await openProfile(page, artist);
  const field = page.getByRole('textbox', { name: 'Username' });
  await field.fill(username);
  await button(page, 'Change username').click();
  const dialog = page.getByRole('dialog', { name: 'Change your page’s address?' });
  await expect(dialog).toContainText(`${baseURL}/${artist.username}/`);
  await expect(dialog).toContainText(`${baseURL}/${username}/`);
  await expect(dialog).toContainText('printed QR codes');
  await button(page, `Keep ${artist.username}`).click();
  await expect(field).toHaveValue(username);
  expect((await shown(artist.username)).username).toBe(artist.username);

  await button(page, 'Change username').click();
  await button(page, 'Change the address').click();
  await expect(told(page, 'Your page has a new address.')).toBeVisible();
  await page.goto(`/${username}/`);
  await expect(page.getByRole('heading', { name: username })).toBeVisible();
  watch.expectTrouble(/\/404: 404/);
  await page.goto(`/${artist.username}/`);
  await expect(page.getByText('Page not found.')).toBeVisible();
});

test('a username that is taken is said beside the field', async ({ page, artist, watch }) => {
  const other = await newArtist();
  await openProfile(page, artist);
  const field = page.getByRole('textbox', { name: 'Username' });
  await field.fill('explore');
  await button(page, 'Change username').click();
  await expectWrong(field, 'This username is not available');
  await field.fill(other.username);
  await button(page, 'Change username').click();
  watch.expectTrouble(/PATCH .*\/users\/me: 409/);
  await button(page, 'Change the address').click();
  await expectWrong(field, 'This username is already taken');
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('an artist who has not chosen how clients book chooses here', async ({ page }) => {
  const artist = await newArtist({ scheduling_type: null });
  await openProfile(page, artist);
  await expect(page.getByText('Not chosen yet')).toBeVisible();
  await page.getByRole('radio', { name: /^Clients send a request/ }).check();
  await button(page, 'Save how clients book').click();
  await expect(page.getByText('Not chosen yet')).toHaveCount(0);
  expect((await shown(artist.username)).scheduling_type).toBe('managed');
});

test('a new address and time zone say which appointments they affect', async ({ page, artist }) => {
  await enterVisit(artist, ROSA, -2);
  const next = await enterVisit(artist, ROSA, 3);
  await enterVisit(artist, ROSA, 4);
  await openProfile(page, artist);
  await page.getByLabel('Address line 1').fill('1 Harbor Road');
  await expect(page.getByText('2 upcoming appointments will show the new address.')).toBeVisible();
  await page.getByRole('combobox', { name: 'Time zone' }).fill('los angeles');
  await page.getByRole('option', { name: /Los Angeles/ }).click();
  const affected = page.getByRole('list', { name: 'Appointments in the new time zone' });
  const [before, after] = ['America/New_York', 'America/Los_Angeles'].map((zone) =>
    clock(next.start ?? '', zone),
  );
  await expect(affected.getByRole('listitem').first()).toContainText(
    new RegExp(`Rosa Quint.*${before} \\(New York\\) becomes.*${after} \\(Los Angeles\\)`),
  );
  await button(page, 'Save studio').click();
  await expect(told(page, 'Your page shows the studio')).toBeVisible();
  await expect(affected).toHaveCount(0);
  expect((await shown(artist.username)).studio).toMatchObject({
    address_one: '1 Harbor Road',
    time_zone: 'America/Los_Angeles',
  });
});

test('reminders are chosen, three at most, and none is said in words', async ({ page, artist }) => {
  await openProfile(page, artist);
  const reminders = page.getByRole('region', { name: 'Reminders' });
  const at = (words: string) => reminders.getByLabel(`${words} before`, { exact: true });
  await expect(at('3 days')).toBeChecked();
  await expect(at('24 hours')).toBeChecked();
  await at('2 hours').check();
  await expect(at('1 week')).toBeDisabled();
  await at('3 days').uncheck();
  await at('1 week').check();
  await button(page, 'Save reminders').click();
  await expect(told(page, 'Your clients are reminded so from now on.')).toBeVisible();
  const self = () => expectOk(call<ArtistSelf>('GET /users/me', { token: artist.token }));
  expect((await self()).reminder_hours).toEqual([168, 24, 2]);

  for (const words of ['1 week', '24 hours', '2 hours']) await at(words).uncheck();
  await expect(reminders.getByText('your clients are not reminded')).toBeVisible();
  await button(page, 'Save reminders').click();
  await expect(told(page, 'Your clients are not reminded any more.')).toBeVisible();
  await page.reload();
  await expect(at('24 hours')).not.toBeChecked();
  expect((await self()).reminder_hours).toEqual([]);
});

test('a new password leaves this tab logged in, and ends every other token', async ({
  page,
  artist,
  watch,
}) => {
  await openProfile(page, artist);
  // What is being typed elsewhere on the page stays through it.
  await page.getByLabel('Full name').fill('Ines, half typed');
  const current = page.getByLabel('Current password', { exact: true });
  await current.fill('not the password');
  await page.getByLabel('New password', { exact: true }).fill(NEW_PASSWORD);
  await page.getByLabel('Confirm new password', { exact: true }).fill('something else');
  await button(page, 'Change password').click();
  await expectWrong(
    page.getByLabel('Confirm new password', { exact: true }),
    'The passwords do not match',
  );
  await page.getByLabel('Confirm new password', { exact: true }).fill(NEW_PASSWORD);
  watch.expectTrouble(/PATCH .*\/password: 400/);
  await button(page, 'Change password').click();
  await expectWrong(current, 'That is not your current password');

  await current.fill(PASSWORD);
  await button(page, 'Change password').click();
  await expect(told(page, 'Password updated successfully.')).toBeVisible();
  await expect(current).toHaveValue('');
  expect((await call('GET /users/me', { token: artist.token })).status).toBe(401);
  await expect(page.getByLabel('Full name')).toHaveValue('Ines, half typed');
  await button(page, 'Save about you').click();
  await expect(told(page, 'Your page shows it')).toBeVisible();
  const form = { username: artist.self.email, password: NEW_PASSWORD };
  expect((await call('POST /login/access-token', { form })).status).toBe(200);
});

test('an account is deleted only with its password, and nothing of it is left', async ({
  page,
  artist,
  watch,
}) => {
  await enterVisit(artist, ROSA, 3);
  await openProfile(page, artist);
  await button(page, 'Delete the account…').click();
  const dialog = page.getByRole('dialog', { name: 'Delete your account?' });
  await expect(dialog).toContainText('1 service');
  await expect(dialog).toContainText('1 appointment');
  await expect(dialog).toContainText('your list of 1 client');
  await expect(dialog).toContainText('1 client has an upcoming appointment.');

  const password = dialog.getByLabel('Your password', { exact: true });
  await password.fill('not the password');
  watch.expectTrouble(/POST .*\/access-token: 400/);
  await button(page, 'Delete for good').click();
  await expectWrong(password, 'That is not your password');
  expect((await call('GET /users/me', { token: artist.token })).status).toBe(200);

  await password.fill(PASSWORD);
  await button(page, 'Delete for good').click();
  await page.waitForURL('**/login');
  await expect(told(page, 'Account deleted.')).toBeVisible();
  expect(await page.evaluate(() => localStorage.getItem('access_token'))).toBeNull();
  const form = { username: artist.self.email, password: PASSWORD };
  expect((await call('POST /login/access-token', { form })).status).toBe(400);
  expect((await call(`GET /users/artist/${artist.username}`)).status).toBe(404);
  watch.expectTrouble(/\/404: 404/);
  await page.goto(`/${artist.username}/`);
  await expect(page.getByText('Page not found.')).toBeVisible();
});

test('the keyboard reaches every part of the profile', { tag: '@desktop' }, async ({
  page,
  artist,
}) => {
  await openProfile(page, artist);
  await tabTo(page, button(page, 'Choose a picture'));
  await tabTo(page, page.getByRole('combobox', { name: 'Time zone' }));
  await page.keyboard.press('Tab');
  await tabTo(page, button(page, 'Delete the account…'));
});
