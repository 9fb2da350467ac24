import type { Page } from '@playwright/test';
import { expect, test } from '#support/browser.ts';
import { bookSiteSlot, callSite, confirmAppointment, findOpenDay } from '#support/browser_api.ts';
import { waitForHydration } from '#support/browser_booking.ts';
import { runStatement } from '#support/browser_database.ts';
import { findLinkPath, waitForMail } from '#support/browser_inbox.ts';
import { expectFits } from '#support/browser_layout.ts';
import { expectOk } from '#support/call_api.ts';
import type { TestArtist } from '#support/new_artist.ts';

const FILLED_FORM = {
  name: 'Rosa Quint',
  email: 'rosa@example.com',
  message: 'Do you do cover-ups?\nMine is <b>old</b> & faded.',
};

async function fillForm(page: Page, { name, email, message }: typeof FILLED_FORM): Promise<void> {
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Email', { exact: true }).fill(email);
  await page.getByLabel('Message').fill(message);
}

async function send(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Send Message' }).click();
}

// The page has one inline script, which keeps what is typed (page_weight.spec.ts).
test.use({ javaScriptEnabled: false });

test('an invalid message gets messages beside its fields and stays; corrected it is sent once', async ({
  page,
  artist,
  watch,
}) => {
  await page.goto(`/${artist.username}/contact`);
  watch.expectError(/^POST \/.*\/contact: 422$/);
  await send(page);
  await expectMessages(page, {
    Name: 'Name is required',
    Email: 'Email is required',
    Message: 'Message is required',
  });
  await expect(page.getByLabel('Name')).toBeFocused();
  await expect(page).toHaveTitle(/^Error: /);

  await fillForm(page, { ...FILLED_FORM, email: 'rosa@' });
  await send(page);
  await expectMessages(page, { Email: 'Invalid email address' });
  await expect(page.getByLabel('Name')).toHaveValue(FILLED_FORM.name);
  await expect(page.getByLabel('Message')).toHaveValue(FILLED_FORM.message);
  await expect(page.getByLabel('Email', { exact: true })).toBeFocused();

  await page.getByLabel('Email', { exact: true }).fill(FILLED_FORM.email);
  await send(page);
  await expect(page.getByRole('status')).toContainText('Thank you, your message was sent.');
  await page.reload();
  await expect(page.getByRole('status')).toContainText('Thank you, your message was sent.');
  const messages = await listMessages(artist);
  expect(messages.map(({ name, email }) => [name, email])).toEqual([
    [FILLED_FORM.name, FILLED_FORM.email],
  ]);
});

test('the page of an appointment that cannot be moved here begins a message, which is not sent before the form is', {
  tag: '@all',
}, async ({ page, artist }) => {
  const { slot } = await findOpenDay(artist);
  const email = `late-${crypto.randomUUID()}@example.com`;
  const { id } = await expectOk(bookSiteSlot(artist, slot, { email }));
  await confirmAppointment(id);
  await page.goto(`/${artist.username}/confirmation/${id}/`);
  await page.getByRole('button', { name: `Write to ${artist.self.full_name}` }).click();
  await expect(page.getByRole('heading', { name: 'Get in Touch' })).toBeVisible();
  await expect(page.getByLabel('Message')).toHaveValue(/^About my appointment on /);
  await expect(page.locator('.field-error')).toHaveCount(0);
  expect(await listMessages(artist)).toEqual([]);
});

test('a lost link is mailed again, with the same answer for everyone', {
  tag: '@all',
}, async ({ page, artist, watch }) => {
  const { slot } = await findOpenDay(artist);
  const email = `lost-${crypto.randomUUID()}@example.com`;
  await expectOk(bookSiteSlot(artist, slot, { email }));
  const emailField = page.getByLabel('Your email address');
  const ask = page.getByRole('button', { name: 'Mail me my link again' });
  await page.goto(`/${artist.username}/contact`);
  await emailField.fill('rosa@');
  watch.expectError(/^POST \/.*\/contact\?links: 422$/);
  await ask.click();
  await expect(emailField).toHaveAccessibleDescription('Invalid email address');
  await expect(emailField).toHaveValue('rosa@');
  const answers: (string | null)[] = [];
  for (const address of ['stranger@example.com', email]) {
    if (answers.length > 0) await page.getByRole('link', { name: 'Try another address' }).click();
    await emailField.fill(address);
    await ask.click();
    await expect(page.getByRole('status')).toContainText('If this address has an appointment');
    answers.push(await page.getByRole('status').textContent());
  }
  expect(answers[1]).toBe(answers[0]);
  await expectFits(page);
  const mail = await waitForMail(email, /^Your appointments with /);
  await page.goto(findLinkPath(mail, /^\/confirmation\//));
  await expect(page).toHaveURL(new RegExp(`/${artist.username}/confirmation/`));
  await expect(page.getByRole('button', { name: 'Confirm Appointment' })).toBeVisible();
});

/** The messages to the artist. */
async function listMessages({ token }: TestArtist) {
  const { data } = await expectOk(
    callSite<{ data: { name: string; email: string }[] }>('GET /users/me/messages', { token }),
  );
  return data;
}

async function expectMessages(page: Page, messages: Record<string, string>): Promise<void> {
  for (const label of ['Name', 'Email', 'Message']) {
    const field = page.getByLabel(label, { exact: true });
    await expect(field).toHaveAccessibleDescription(messages[label] ?? '');
    if (messages[label]) await expect(field).toHaveAttribute('aria-invalid', 'true');
  }
}

test.describe('with scripts', () => {
  test.use({ javaScriptEnabled: true });

  test('a lost connection and a reload keep what is typed into forms, until they are sent', {
    tag: '@all',
  }, async ({ page, context, artist, watch }) => {
    const path = `/${artist.username}/contact`;
    await page.goto(path);
    const measurePage = () => page.evaluate(() => document.body.offsetHeight);
    const height = await measurePage();
    await fillForm(page, { ...FILLED_FORM, email: 'rosa@gmial.com' });
    await page.getByRole('button', { name: 'Did you mean rosa@gmail.com?' }).click();
    expect(await measurePage(), 'the suggestion has moved the fields').toBe(height);
    await page.goto(path);
    await expect(page.getByLabel('Email', { exact: true })).toHaveValue('rosa@gmail.com');
    await expect(page.getByLabel('Message')).toHaveValue(FILLED_FORM.message);
    watch.expectError(/contact.*: net::ERR_INTERNET_DISCONNECTED/);
    await context.setOffline(true);
    await send(page).catch(() => {});
    await context.setOffline(false);
    await page.reload();
    await page.getByRole('link', { name: 'Write another message' }).click();
    await expect(page.getByLabel('Message')).toHaveValue('');
    await page.getByLabel('Your email address').fill('rosa@gmail.com');
    await page.getByRole('button', { name: 'Mail me my link again' }).click();
    await expect(page.getByText('If this address has an appointment')).toBeInViewport();

    const { slot } = await findOpenDay(artist);
    const { id } = await expectOk(bookSiteSlot(artist, slot));
    await confirmAppointment(id);
    const [note, email] = [page.getByLabel(/^A word to/), page.getByLabel('Your email')];
    const openPage = () => page.goto(`/${artist.username}/confirmation/${id}/`);
    await openPage();
    await page.getByText('Cancel appointment').click();
    await note.fill('I am ill.');
    await page.getByText('Not yours? Change it.').click();
    await email.fill('me@example.com');
    await openPage();
    await waitForHydration(page);
    await expect(email).toHaveValue('me@example.com');
    await page.getByRole('button', { name: 'Change email' }).click();
    await expect(page.getByText('We mail you at me@example.com.')).toBeVisible();
    await openPage();
    await expect(page.getByText('We mail you at me@example.com.')).toBeVisible();
    await expect(email).toBeHidden();
    await expect(note).toHaveValue('I am ill.');
  });

  test('a full inbox takes a message once the browser has computed a proof of work', {
    tag: '@all',
  }, async ({ page, artist, watch }) => {
    await runStatement(
      `INSERT INTO messages (artist_id, name, email, mailbox, message)
       SELECT $1, 'Iris', 'iris@example.com', 'hash', 'Hello' FROM generate_series(1, 500)`,
      [artist.self.id],
    );
    watch.expectError(/^POST \/.*\/contact: 429$/);
    await page.goto(`/${artist.username}/contact`);
    await fillForm(page, FILLED_FORM);
    await send(page);
    await expect(page.getByRole('status')).toContainText('Thank you, your message was sent.');
  });
});
