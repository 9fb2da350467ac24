import type { Locator, Page } from '@playwright/test';
import { MINUTE_MS } from '#domain/time/time.ts';
import { expect, test } from '#support/browser.ts';
import {
  bookSiteSlot,
  confirmAppointment,
  findOpenDay,
  loadDemoArtist,
  updateAppointment,
} from '#support/browser_api.ts';
import { button } from '#support/browser_booking.ts';
import { runStatement } from '#support/browser_database.ts';
import { findLinkPath, waitForMail } from '#support/browser_inbox.ts';
import { expectFits } from '#support/browser_layout.ts';
import { expectOk } from '#support/call_api.ts';

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

const NEEDS_JAVASCRIPT = 'Booking needs JavaScript, which is off here.';

/** Public pages that need no setup, and a heading of each. */
const PAGE_HEADINGS: Readonly<Record<string, string>> = {
  '/': 'Simple Scheduling for Tattoo Artists',
  '/explore/': 'Explore Artists',
  '/privacy/': 'Privacy',
  '/ana/': 'Available Designs',
  '/ana/services': 'Select An Appointment',
  '/ana/about': 'My Work',
  '/ana/contact': 'Get in Touch',
  '/cleo/': 'Available Designs',
};

test('public pages show their content and all pictures, and have no control that needs a script', async ({
  page,
}) => {
  for (const [path, heading] of Object.entries(PAGE_HEADINGS))
    await test.step(path, async () => {
      await page.goto(path);
      await expect(page.getByRole('heading', { name: heading, exact: true })).toBeVisible();
      await expectReadable(page);
      for (const picture of await page.locator('main img').all())
        await expect(picture).not.toHaveJSProperty('naturalWidth', 0);
    });
});

test('a visitor looks at designs and pictures, and reads on the booking page how to contact the artist', async ({
  page,
}) => {
  const { designs, portfolio } = await loadDemoArtist('ana');
  const [first, second] = designs;
  // Far down, so that the place is not the top of the page.
  const [picture, next] = portfolio.slice(-2);
  if (!first || !second || !picture || !next)
    throw new Error('ana has too few designs or pictures');
  const main = page.getByRole('main');

  await test.step('a picture of the portfolio opens large, and Back and Close lead to its place', async () => {
    const inGrid = page.getByRole('link', { name: picture.title, exact: true });
    await page.goto('/ana/about');
    await inGrid.click();
    await expect(page.getByRole('heading', { level: 1, name: picture.title })).toBeVisible();
    await expectReadable(page);
    await page.goBack();
    await expect(inGrid).toBeInViewport();
    await inGrid.click();
    await page.getByRole('link', { name: `Next: ${next.title}` }).click();
    await page.getByRole('link', { name: 'Close' }).click();
    await expect(page).toHaveURL(`/ana/about#${next.id}`);
    await expect(page.getByRole('link', { name: next.title, exact: true })).toBeInViewport();
  });

  await page.goto('/ana/');
  await main.getByRole('link', { name: first.name, exact: true }).click();
  await expect(page).toHaveURL(`/ana/designs/${first.id}`);
  await expect(main.getByRole('link', { name: 'Book Now!' })).toBeInViewport({ ratio: 1 });
  await expectReadable(page);
  await main.getByRole('link', { name: `Next: ${second.name}` }).click();
  await expect(main.getByRole('heading', { name: second.name })).toBeVisible();
  await main.getByRole('link', { name: 'Book Now!' }).click();
  await expect(page).toHaveURL(`/ana/scheduling?design=${second.id}`);
  await expectContactLinks(page, 'ana', NEEDS_JAVASCRIPT);
  await expect(page.getByRole('heading', { name: second.name })).toBeVisible();

  await page.getByRole('link', { name: 'appointments', exact: true }).click();
  await page.getByRole('link', { name: 'Book Now!' }).first().click();
  await expectContactLinks(page, 'ana', NEEDS_JAVASCRIPT);
  await expect(paragraph(page, 'The appointment you chose is “')).toBeVisible();
  await page.goto('/bo/scheduling');
  await expectContactLinks(page, 'bo', NEEDS_JAVASCRIPT);
});

test('a held time is confirmed, also after it has expired; the page has a calendar file and contact links', async ({
  page,
  artist,
}) => {
  const { slot } = await findOpenDay(artist);
  const { id } = await expectOk(bookSiteSlot(artist, slot));
  const path = `/${artist.username}/confirmation/${id}/`;
  await page.goto(path);
  await expect(page.getByText('1 Example Street')).toBeVisible();
  await expect(page.getByText(/^Kept for you until/)).toBeVisible();
  await expectEmailLink(page, 'Confirm your appointment.', artist.self.email);

  // Without waiting half an hour.
  await runStatement(
    "UPDATE appointment_times SET expires_at = now() - interval '1 second' WHERE appointment_id = $1",
    [id],
  );
  await page.reload();
  await expect(
    page.getByRole('heading', { name: 'This appointment was not confirmed in time.' }),
  ).toBeVisible();
  await button(page, 'Confirm Appointment').click();
  await expectEmailLink(page, "You're booked!", artist.self.email);
  await expect(page).toHaveURL(path);
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Apple' }).click(),
  ]);
  expect(file.suggestedFilename()).toMatch(/\.ics$/);
});

test('a client corrects their email, is refused what has changed meanwhile, and cancels with a word', {
  tag: '@all',
}, async ({ page, artist, watch }) => {
  const { slot } = await findOpenDay(artist);
  const { id } = await expectOk(bookSiteSlot(artist, slot));
  await page.goto(`/${artist.username}/confirmation/${id}/`);
  await page.getByText('Not yours? Change it.').click();
  // The browser's own check lets it pass.
  await page.getByLabel('Your email').fill('me@example');
  watch.expectError(/^POST .*confirmation.*: 422$/);
  await button(page, 'Change email').click();
  await expect(page.getByLabel('Your email')).toHaveAccessibleDescription('Invalid email address');
  await expect(page.getByLabel('Your email')).toBeFocused();
  await page.getByLabel('Your email').fill(`me-${id}@example.com`);
  await button(page, 'Change email').click();
  await expect(page.getByText('We mail you at m•••@example.com.')).toBeVisible();
  const { pathname } = new URL(page.url());
  await page.goto(`${pathname}?email_change=${'a'.repeat(22)}`);
  await expect(page.getByText(/^This link no longer works: it was used, /)).toBeVisible();

  const later = (time: string) => new Date(Date.parse(time) + 5 * MINUTE_MS).toISOString();
  await updateAppointment(artist.token, id, { start: later(slot.start), end: later(slot.end) });
  watch.expectError(/^POST .*confirmation.*: 409$/);
  await button(page, 'Confirm Appointment').click();
  await expect(page.getByText('This appointment has changed in the meantime.')).toBeVisible();
  await expectReadable(page);
  await button(page, 'Confirm Appointment').click();
  await page.getByRole('link', { name: 'cancel it here' }).click();
  await expectReadable(page);
  await page.getByLabel(/^A word to/).fill('I am ill.');
  await button(page, 'Cancel this appointment').click();
  await expect(
    page.getByRole('heading', { name: 'This appointment was cancelled.' }),
  ).toBeVisible();
});

test('pages that need JavaScript say so, and show no control that needs it', async ({
  page,
  watch,
}) => {
  for (const path of ['/login', '/signup', '/recover-password', '/reset-password', '/studio/hours'])
    await test.step(path, async () => {
      const subject = path.startsWith('/studio') ? 'The studio' : 'This page';
      const name = `${subject} needs JavaScript, which is off here.`;
      await page.goto(path);
      await expect(page.getByRole('heading', { name })).toBeVisible();
      await expectReadable(page);
    });
  watch.expectError(/^GET \/404: 404$/);
  await page.goto('/404');
  await expectReadable(page);
  await page.getByRole('link', { name: 'Back to the start' }).click();
  await expect(page.getByRole('heading', { name: PAGE_HEADINGS['/'] ?? '' })).toBeVisible();
});

test('a client stops the mail of an artist, undoes it, and stops all mail', {
  tag: '@all',
}, async ({ page, artist, watch }) => {
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

  watch.expectError(/stop-mail.*: 400/);
  await page.goto('/stop-mail?token=cut-off');
  await expect(page.getByRole('alert')).toContainText('This link is not complete.');
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
    if (
      (await control
        .locator(
          'xpath=ancestor::form[@method="post" and (@action or @data-posts) or @method="get" and @action]',
        )
        .count()) === 0
    )
      broken.push(await control.evaluate((element) => element.outerHTML));
  expect(broken, 'controls that need a script').toEqual([]);
  await expect(page.getByText(/Loading/).filter({ visible: true })).toHaveCount(0);
  await expectFits(page);
}

/** The page has this heading, and links to the artist's email and contact page. */
async function expectContactLinks(page: Page, username: string, heading: string): Promise<void> {
  await expectEmailLink(page, heading, `${username}@example.com`);
  const contact = page.getByRole('main').getByRole('link', { name: 'contact page' }).first();
  await expect(contact).toHaveAttribute('href', `/${username}/contact`);
}

async function expectEmailLink(page: Page, heading: string, email: string): Promise<void> {
  const main = page.getByRole('main');
  await expect(main.getByRole('heading', { name: heading })).toBeVisible();
  const mail = main.getByRole('link', { name: email }).first();
  await expect(mail).toBeVisible();
  await expect(mail).toHaveAttribute('href', `mailto:${email}`);
  await expectReadable(page);
}
