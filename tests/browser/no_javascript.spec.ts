import type { Locator, Page } from '@playwright/test';
import { expect, test } from '#support/browser.ts';
import {
  bookSiteSlot,
  callSite,
  confirmAppointment,
  findOpenDay,
  loadDemoArtist,
  requestAppointment,
} from '#support/browser_api.ts';
import { expireAppointment } from '#support/browser_expiry.ts';
import { findLinkPath, waitForMail } from '#support/browser_inbox.ts';
import { expectFits } from '#support/browser_layout.ts';
import { expectOk } from '#support/call_api.ts';
import type { TestArtist } from '#support/new_artist.ts';

// The same as turning JavaScript off in Chromium's settings. With `javaScriptEnabled` alone,
// Chromium would parse the content of noscript as plain text.
test.use({
  javaScriptEnabled: false,
  launchOptions: [
    async ({ launchOptions }, use) =>
      use({
        ...launchOptions,
        args: [...(launchOptions.args ?? []), '--blink-settings=scriptEnabled=false'],
      }),
    { scope: 'worker' },
  ],
});

/** Public pages that need no setup, and a heading of each. */
const PAGE_HEADINGS: Readonly<Record<string, string>> = {
  '/': 'Simple Scheduling for Tattoo Artists',
  '/explore/': 'Explore Artists',
  '/ana/': 'Available Designs',
  '/ana/services': 'Select An Appointment',
  '/ana/about': 'My Work',
  '/ana/contact': 'Get in Touch',
  '/bo/services': 'Select An Appointment',
  '/cleo/': 'Available Designs',
};
test('public pages show their content and have no control that needs a script', async ({
  page,
}) => {
  for (const [path, heading] of Object.entries(PAGE_HEADINGS))
    await test.step(path, async () => {
      await page.goto(path);
      await expect(page.getByRole('heading', { name: heading, exact: true })).toBeVisible();
      await expectReadable(page);
    });
});

test('all pictures load', async ({ page }) => {
  for (const path of ['/ana/', '/ana/about']) {
    await page.goto(path, { waitUntil: 'load' });
    const pictures = await page.locator('main img').all();
    expect(pictures.length).toBeGreaterThan(6);
    for (const picture of pictures) {
      await expect(picture).toBeVisible();
      await expect(picture).not.toHaveJSProperty('naturalWidth', 0);
    }
  }
});

test('the landing page links to the login', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('link', { name: 'Artist Login' }).click();
  await expect(page.getByRole('heading', { name: 'Artist Login' })).toBeVisible();
});

test('a visitor can navigate from an artist’s designs to the services and the booking page', async ({
  page,
}) => {
  await page.goto('/ana/');
  const nav = page.getByRole('navigation', { name: 'Artist' });
  await nav.getByRole('link', { name: 'About' }).click();
  await expect(page.getByRole('heading', { name: 'My Work' })).toBeVisible();
  await nav.getByRole('link', { name: 'Book Now' }).click();
  await expect(page.getByRole('heading', { name: 'Select An Appointment' })).toBeVisible();
  const { services } = await loadDemoArtist('ana');
  await expect(page.getByRole('link', { name: 'Book Now!' })).toHaveCount(services.length);
  await page.getByRole('link', { name: 'Book Now!' }).first().click();
  await expectContactLinks(page, 'ana', 'Booking needs JavaScript, which is off here.');
});

test('an invalid contact form keeps its input, and is sent after it is corrected', async ({
  page,
  artist,
  watch,
}) => {
  await page.goto(`/${artist.username}/contact`);
  await page.getByLabel('Name').fill('Rosa Quint');
  await page.getByLabel('Email', { exact: true }).fill('rosa@');
  await page.getByLabel('Message').fill('Do you do cover-ups?');
  watch.expectError(/^POST \/.*\/contact: 422$/);
  await page.getByRole('button', { name: 'Send Message' }).click();
  await expect(page.getByText('Invalid email address')).toBeVisible();
  await expectReadable(page);
  await expect(page.getByLabel('Name')).toHaveValue('Rosa Quint');
  await expect(page.getByLabel('Message')).toHaveValue('Do you do cover-ups?');
  await page.getByLabel('Email', { exact: true }).fill('rosa@example.com');
  await page.getByRole('button', { name: 'Send Message' }).click();
  await expect(page.getByRole('status')).toContainText('Thank you, your message was sent.');
  await expectReadable(page);
  const { data } = await expectOk(
    callSite<{ data: { email: string; message: string }[] }>('GET /users/me/messages', {
      token: artist.token,
    }),
  );
  expect(data).toMatchObject([{ email: 'rosa@example.com', message: 'Do you do cover-ups?' }]);
});

test('the booking page shows how to contact the artist, and no control that needs a script', async ({
  page,
}) => {
  const { services, designs } = await loadDemoArtist('ana');
  const [service, design] = [services[1], designs[0]];
  if (!service || !design) throw new Error('ana has nothing to book');
  const message = 'Booking needs JavaScript, which is off here.';

  await page.goto('/ana/scheduling');
  await expectContactLinks(page, 'ana', message);
  await page.getByRole('link', { name: 'appointments', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Select An Appointment' })).toBeVisible();

  await page.goto(`/ana/scheduling?service=${service.id}`);
  await expectContactLinks(page, 'ana', message);
  const chosen = `The appointment you chose is “${service.name}”, ${service.duration} minutes.`;
  await expect(paragraph(page, chosen)).toBeVisible();

  await page.goto(`/ana/scheduling?design=${design.id}`);
  await expectContactLinks(page, 'ana', message);
  await expect(page.getByRole('heading', { name: design.name })).toBeVisible();
});

test('the request page shows how to contact the artist, and no control that needs a script', async ({
  page,
}) => {
  const [design] = (await loadDemoArtist('bo')).designs;
  for (const path of ['/bo/scheduling', `/bo/scheduling?design=${design?.id}`]) {
    await page.goto(path);
    await expectContactLinks(page, 'bo', 'Booking needs JavaScript, which is off here.');
  }
  await expect(page.getByRole('heading', { name: design?.name ?? '' })).toBeVisible();
});

test('the scheduling page of an artist without a booking type links to their contact form', async ({
  page,
}) => {
  await page.goto('/cleo/scheduling');
  await expect(page.getByText('This artist has not completed their sign up')).toBeVisible();
  await expectReadable(page);
  await page.getByRole('link', { name: 'write to cleo' }).click();
  await expect(page.getByRole('button', { name: 'Send Message' })).toBeVisible();
});

test('the page of a held slot shows the address, how to contact the artist, and that confirming needs JavaScript', async ({
  page,
  artist,
}) => {
  const id = await hold(artist);
  await page.goto(`/${artist.username}/confirmation/${id}/`);
  await expect(page.getByRole('heading', { name: 'Confirm your appointment.' })).toBeVisible();
  await expect(page.getByText('1 Example Street')).toBeVisible();
  await expectContactLinks(
    page,
    artist.username,
    'Confirming needs JavaScript, which is off here.',
    artist.self.email,
  );

  await expireAppointment(id);
  await page.reload();
  await expect(
    page.getByRole('heading', { name: 'This appointment was not confirmed in time.' }),
  ).toBeVisible();
  await expect(
    page.getByRole('heading', { name: 'Confirming needs JavaScript, which is off here.' }),
  ).toBeVisible();
});

test('the page of a booked appointment offers a calendar file and shows how to contact the artist', async ({
  page,
  artist,
}) => {
  const id = await hold(artist);
  await confirmAppointment(id);
  await page.goto(`/${artist.username}/confirmation/${id}/`);
  await expect(page.getByRole('heading', { name: "You're booked!" })).toBeVisible();
  await expectContactLinks(page, artist.username, "You're booked!", artist.self.email);
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Apple' }).click(),
  ]);
  expect(file.suggestedFilename()).toMatch(/\.ics$/);
});

test('the page of a sent request shows how to contact the artist', async ({
  page,
  managedArtist,
}) => {
  const { id } = await expectOk(requestAppointment(managedArtist.username));
  await page.goto(`/${managedArtist.username}/confirmation/${id}/`);
  await expectContactLinks(
    page,
    managedArtist.username,
    'Thanks for your request, Rosa',
    managedArtist.self.email,
  );
});

test('the 404 page links back to the landing page', async ({ page, watch }) => {
  watch.expectError(/^GET \/404: 404$/);
  await page.goto('/404');
  await expect(page.getByText('Page not found.')).toBeVisible();
  await expectReadable(page);
  await page.getByRole('link', { name: 'Back to the start' }).click();
  await expect(page.getByRole('heading', { name: PAGE_HEADINGS['/'] ?? '' })).toBeVisible();
});

test('auth pages say that they need JavaScript, and show no control that needs it', async ({
  page,
}) => {
  for (const [path, heading] of [
    ['/login', 'Artist Login'],
    ['/signup', 'Sign up'],
    ['/recover-password', 'Recover your password'],
    ['/reset-password', 'Choose a new password'],
  ] as const)
    await test.step(path, async () => {
      await page.goto(path);
      await expect(page.getByRole('heading', { name: heading })).toBeVisible();
      await expect(
        page.getByRole('heading', { name: 'This page needs JavaScript, which is off here.' }),
      ).toBeVisible();
      await expect(paragraph(page, 'Turn it on in your browser')).toBeVisible();
      await expectReadable(page);
    });
});

test('the studio says that it needs JavaScript, and shows no loading indicator', async ({
  page,
}) => {
  await page.goto('/studio/calendar');
  await expect(
    page.getByRole('heading', { name: 'The studio needs JavaScript, which is off here.' }),
  ).toBeVisible();
  await expectReadable(page);
});

/** Also finds text inside noscript, unlike `getByText`. */
function paragraph(page: Page, text: string): Locator {
  return page.getByRole('paragraph').filter({ hasText: text });
}

/** Every visible control belongs to a plain form, nothing is loading, and nothing overflows. */
async function expectReadable(page: Page): Promise<void> {
  const controls = page.locator('button, input, select, textarea').filter({ visible: true });
  const broken = [];
  for (const control of await controls.all())
    if ((await control.locator('xpath=ancestor::form[@method="post"][@action]').count()) === 0)
      broken.push(await control.evaluate((element) => element.outerHTML));
  expect(broken, 'controls that need a script').toEqual([]);
  await expect(page.getByText(/Loading/).filter({ visible: true })).toHaveCount(0);
  await expectFits(page);
}

/** The page has this heading, and links to the artist's email and contact page. */
async function expectContactLinks(
  page: Page,
  username: string,
  heading: string,
  email = `${username}@example.com`,
): Promise<void> {
  const main = page.getByRole('main');
  await expect(main.getByRole('heading', { name: heading })).toBeVisible();
  const mail = main.getByRole('link', { name: email }).first();
  await expect(mail).toBeVisible();
  await expect(mail).toHaveAttribute('href', `mailto:${email}`);
  const contact = main.getByRole('link', { name: 'contact page' }).first();
  await expect(contact).toHaveAttribute('href', `/${username}/contact`);
  await expectReadable(page);
}

async function hold(artist: TestArtist): Promise<string> {
  const { slot } = await findOpenDay(artist);
  return (await expectOk(bookSiteSlot(artist, slot))).id;
}

test('a client stops the mail of an artist, undoes it, and stops all mail', async ({
  page,
  artist,
}) => {
  const { slot } = await findOpenDay(artist);
  const email = `rosa-${crypto.randomUUID()}@example.com`;
  const { id } = await expectOk(bookSiteSlot(artist, slot, { email }));
  await confirmAppointment(id);
  const mail = await waitForMail(email, /^Booked/);
  const response = await page.goto(findLinkPath(mail, /^\/stop-mail$/));
  expect(response?.headers()).toMatchObject({
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-robots-tag': 'noindex',
  });
  await expectReadable(page);
  const press = (name: string | RegExp) => page.getByRole('button', { name }).click();
  await press(/^From .* only$/);
  await expect(page.getByRole('status')).toContainText('No more mail from');
  await page.reload();
  await press('Undo');
  await press('From everyone');
  await expect(page.getByRole('status')).toContainText('No more mail about appointments');
});

test('a link to stop mail that is not complete says so', async ({ page, watch }) => {
  watch.expectError(/stop-mail.*: 400/);
  const response = await page.goto('/stop-mail?token=cut-off');
  expect(response?.status()).toBe(400);
  await expect(page.getByRole('alert')).toContainText('This link is not complete.');
});
