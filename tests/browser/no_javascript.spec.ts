import type { Locator, Page } from '@playwright/test';
import { MINUTE_MS } from '#domain/time.ts';
import { expect, test } from '#support/browser.ts';
import {
  bookSiteSlot,
  callSite,
  confirmAppointment,
  findOpenDay,
  loadDemoArtist,
  requestAppointment,
  updateAppointment,
} from '#support/browser_api.ts';
import { button } from '#support/browser_booking.ts';
import { runStatement } from '#support/browser_database.ts';
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
  '/privacy/': 'Privacy',
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

test('a visitor opens a design, looks at the next one and goes to its booking page', async ({
  page,
}) => {
  const { designs } = await loadDemoArtist('ana');
  const [first, second] = designs;
  if (!first || !second) throw new Error('ana has too few designs');
  const main = page.getByRole('main');
  await page.goto('/ana/');
  await main.getByRole('link', { name: first.name, exact: true }).click();
  await expect(page).toHaveURL(`/ana/designs/${first.id}`);
  await expect(main.getByRole('link', { name: 'Book Now!' })).toBeInViewport({ ratio: 1 });
  await expect(main.getByRole('heading', { name: first.name })).toBeVisible();
  await expectReadable(page);
  await main.getByRole('link', { name: `Next: ${second.name}` }).click();
  await expect(main.getByRole('heading', { name: second.name })).toBeVisible();
  await main.getByRole('link', { name: 'Book Now!' }).click();
  await expect(page).toHaveURL(`/ana/scheduling?design=${second.id}`);
});

test('a picture of the portfolio opens large, and both Close and Back lead to its place', async ({
  page,
}) => {
  const { portfolio } = await loadDemoArtist('ana');
  // Far down, so that the place is not the top of the page.
  const [picture, next] = portfolio.slice(-2);
  if (!picture || !next) throw new Error('ana has too few pictures');
  const inGrid = page.getByRole('link', { name: picture.title, exact: true });
  await page.goto('/ana/about');
  await inGrid.click();
  await expect(page).toHaveURL(`/ana/about/${picture.id}`);
  await expect(page.getByRole('heading', { level: 1, name: picture.title })).toBeVisible();
  await expectReadable(page);
  await page.goBack();
  await expect(inGrid).toBeInViewport();

  await inGrid.click();
  await page.getByRole('link', { name: `Next: ${next.title}` }).click();
  await expect(page.getByRole('heading', { level: 1, name: next.title })).toBeVisible();
  await page.getByRole('link', { name: 'Close' }).click();
  await expect(page).toHaveURL(`/ana/about#${next.id}`);
  await expect(page.getByRole('link', { name: next.title, exact: true })).toBeInViewport();
});

test('an artist’s page without designs leads to booking', async ({
  page,
  artist,
  managedArtist,
}) => {
  await page.goto(`/${artist.username}/`);
  await expect(page.getByRole('heading', { name: 'Available Designs' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Book Now!' })).toHaveAttribute(
    'href',
    `/${artist.username}/scheduling?service=${artist.service.id}`,
  );
  await page.goto(`/${managedArtist.username}/`);
  await page.getByRole('link', { name: 'Book Now!' }).click();
  await expect(page).toHaveURL(`/${managedArtist.username}/scheduling`);
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

test('a held time is read and confirmed, and again after it has expired', async ({
  page,
  artist,
}) => {
  const id = await hold(artist);
  const path = `/${artist.username}/confirmation/${id}/`;
  await page.goto(path);
  await expect(page.getByRole('heading', { name: 'Confirm your appointment.' })).toBeVisible();
  await expect(page.getByText('1 Example Street')).toBeVisible();
  await expect(page.getByText(/^Kept for you until/)).toBeVisible();
  await expectContactLinks(page, artist.username, 'Confirm your appointment.', artist.self.email);

  await expireAppointment(id);
  await page.reload();
  await expect(
    page.getByRole('heading', { name: 'This appointment was not confirmed in time.' }),
  ).toBeVisible();
  await button(page, 'Confirm Appointment').click();
  await expect(page.getByRole('heading', { name: "You're booked!" })).toBeVisible();
  await expect(page).toHaveURL(path);
});

test('a confirmation of what has changed meanwhile is refused on the page, which shows it as it is', async ({
  page,
  artist,
  watch,
}) => {
  const { slot } = await findOpenDay(artist);
  const { id } = await expectOk(bookSiteSlot(artist, slot));
  await page.goto(`/${artist.username}/confirmation/${id}/`);
  const later = (time: string) => new Date(Date.parse(time) + 5 * MINUTE_MS).toISOString();
  await updateAppointment(artist.token, id, { start: later(slot.start), end: later(slot.end) });
  watch.expectError(/^POST .*confirmation.*: 409$/);
  await button(page, 'Confirm Appointment').click();
  await expect(page.getByText('This appointment has changed in the meantime.')).toBeVisible();
  await expectReadable(page);
  await button(page, 'Confirm Appointment').click();
  await expect(page.getByRole('heading', { name: "You're booked!" })).toBeVisible();
});

test('a client cancels with a word, and corrects their email', async ({ page, artist }) => {
  const id = await hold(artist);
  await page.goto(`/${artist.username}/confirmation/${id}/`);
  await page.getByText('Not yours? Change it.').click();
  await page.getByLabel('Your email').fill(`me-${id}@example.com`);
  await button(page, 'Change email').click();
  await expect(page.getByText('Your link goes to m•••@example.com.')).toBeVisible();
  await button(page, 'Confirm Appointment').click();
  await page.getByText('Cancel appointment').click();
  await expectReadable(page);
  await page.getByLabel(/^A word to/).fill('I am ill.');
  await button(page, 'Cancel this appointment').click();
  await expect(
    page.getByRole('heading', { name: 'This appointment was cancelled.' }),
  ).toBeVisible();
});

/** As if the client had used a mailed link. */
const PROVE_EMAILS = 'UPDATE appointments SET email_proven = true WHERE artist_id = $1';

test('a client asks for a copy of their data and for its erasure, and lands at what they asked', async ({
  page,
  artist,
}) => {
  const id = await hold(artist);
  await page.goto(`/${artist.username}/confirmation/${id}/`);
  const section = page.getByRole('region', { name: 'Your data' });
  // Only a mailed link proves who asks.
  await expect(section.getByText(/open this page by the link in our mail to /)).toBeVisible();
  await expect(button(page, 'Ask for a copy')).toHaveCount(0);
  await runStatement(PROVE_EMAILS, [artist.self.id]);
  await page.goto(`/${artist.username}/confirmation/${id}/`);
  await button(page, 'Ask for a copy').click();
  await expect(section.getByText(/^You asked .* for a copy of your data on /)).toBeInViewport();
  await expect(button(page, 'Ask for a copy')).toHaveCount(0);
  await section.getByText('Ask to erase my data').click();
  await expect(section.getByText(/An appointment ahead has to be cancelled first\./)).toBeVisible();
  await expectReadable(page);
  await button(page, 'Yes, ask to erase it').click();
  await expect(section.getByText(/^You asked .* to erase your data on /)).toBeInViewport();
  await waitForMail(artist.self.email, /asks for a copy of their data/);
  await waitForMail(artist.self.email, /asks you to erase their data/);
});

test('a request about data that the artist has just done is refused on the page, which says when', async ({
  page,
  artist,
  watch,
}) => {
  const id = await hold(artist);
  await runStatement(PROVE_EMAILS, [artist.self.id]);
  await page.goto(`/${artist.username}/confirmation/${id}/`);
  const ask = `POST /appointments/confirmation/${id}/data-request` as const;
  await expectOk(callSite(ask, { json: { kind: 'copy' } }));
  const markDone = 'UPDATE data_requests SET done_at = now() WHERE artist_id = $1';
  await runStatement(markDone, [artist.self.id]);
  watch.expectError(/^POST .*confirmation.*: 409$/);
  await button(page, 'Ask for a copy').click();
  await expect(page.getByText(/^You asked for this within the last 30 days/)).toBeVisible();
  await expect(page.getByText(/It was marked as done on /)).toBeVisible();
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
