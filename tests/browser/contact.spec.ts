import type { Page } from '@playwright/test';
import { expect, test } from '#support/browser.ts';
import { bookSiteSlot, callSite, confirmAppointment, findOpenDay } from '#support/browser_api.ts';
import { findLinkPath, waitForMail } from '#support/browser_inbox.ts';
import { expectFits } from '#support/browser_layout.ts';
import { expectOk } from '#support/call_api.ts';

const EMPTY_FORM = { name: '', email: '', message: '' };
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

for (const javaScriptEnabled of [true, false]) {
  test.describe(`${javaScriptEnabled ? 'with' : 'without'} JavaScript`, () => {
    test.use({ javaScriptEnabled });

    test('a message is sent, and a reload does not send it again', async ({ page, artist }) => {
      const path = `/${artist.username}/contact`;
      await page.goto(path);
      await expect(page.getByRole('heading', { name: 'Get in Touch' })).toBeVisible();
      await fillForm(page, FILLED_FORM);
      await send(page);
      await expect(page.getByRole('status')).toContainText('Thank you, your message was sent.');
      const methods: string[] = [];
      page.on('request', (request) => methods.push(request.method()));
      await page.reload();
      await expect(page.getByRole('status')).toContainText('Thank you, your message was sent.');
      expect(methods).not.toContain('POST');
    });

    test('the page of an appointment that cannot be moved here begins a message, which is sent only by the form', async ({
      page,
      artist,
    }) => {
      const { slot } = await findOpenDay(artist);
      const email = `late-${crypto.randomUUID()}@example.com`;
      const { id } = await expectOk(bookSiteSlot(artist, slot, { email }));
      await confirmAppointment(id);
      await page.goto(`/${artist.username}/confirmation/${id}/`);
      await page.getByRole('button', { name: `Write to ${artist.self.full_name}` }).click();
      await expect(page.getByRole('heading', { name: 'Get in Touch' })).toBeVisible();
      await expect(page.getByLabel('Message')).toHaveValue(/^About my appointment on /);
      await expect(page.locator('.field-error')).toHaveCount(0);
      const listMessages = () =>
        expectOk(callSite<{ data: object[] }>('GET /users/me/messages', { token: artist.token }));
      expect((await listMessages()).data).toEqual([]);
      await fillForm(page, { ...FILLED_FORM, message: 'Can we move it?' });
      await send(page);
      await expect(page.getByRole('status')).toContainText('Thank you, your message was sent.');
      expect((await listMessages()).data).toHaveLength(1);
    });

    test('a form that was opened before the artist changed their username still reaches them', async ({
      page,
      artist,
    }) => {
      const { token, username } = artist;
      await page.goto(`/${username}/contact`);
      const message = { ...FILLED_FORM, message: 'Do you do cover-ups?' };
      await fillForm(page, message);
      const json = { username: `${username}-2` };
      await expectOk(callSite('PATCH /users/me', { token, json }));
      await send(page);
      await expect(page.getByRole('status')).toContainText('Thank you, your message was sent.');
      await expect(page).toHaveURL(`/${username}-2/contact?sent=1`);
      const { data } = await expectOk(
        callSite<{ data: object[] }>('GET /users/me/messages', { token }),
      );
      expect(data).toMatchObject([message]);
    });

    test('a lost link is mailed again, with the same answer for everyone', async ({
      page,
      artist,
      watch,
    }) => {
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
        await page.goto(`/${artist.username}/contact`);
        await emailField.fill(address);
        await ask.click();
        await expect(page.getByRole('status')).toContainText(
          `If this address has an appointment with ${artist.self.full_name}, a mail with its link is on its way.`,
        );
        answers.push(await page.getByRole('status').textContent());
      }
      expect(answers[1]).toBe(answers[0]);
      await expectFits(page);
      const methods: string[] = [];
      page.on('request', (request) => methods.push(request.method()));
      await page.reload();
      expect(methods).not.toContain('POST');
      const mail = await waitForMail(email, /^Your appointments with /);
      await page.goto(findLinkPath(mail, /^\/confirmation\//));
      await expect(page).toHaveURL(new RegExp(`/${artist.username}/confirmation/`));
      await expect(page.getByRole('button', { name: 'Confirm Appointment' })).toBeVisible();
    });

    test('an empty form gets a message beside each field', async ({ page, artist, watch }) => {
      await page.goto(`/${artist.username}/contact`);
      watch.expectError(/^POST \/.*\/contact: 422$/);
      await send(page);
      await expectMessages(page, await fetchApiMessages(artist.username, EMPTY_FORM));
      await expectMessages(page, {
        Name: 'Name is required',
        Email: 'Email is required',
        Message: 'Message is required',
      });
      await expect(page.getByLabel('Name')).toBeFocused();
      await expect(page).toHaveTitle(/^Error: /);
    });

    test('an invalid email gets a message beside it, the input stays, and a corrected form is sent', async ({
      page,
      artist,
      watch,
    }) => {
      const input = { ...FILLED_FORM, email: 'rosa@' };
      await page.goto(`/${artist.username}/contact`);
      await fillForm(page, input);
      watch.expectError(/^POST \/.*\/contact: 422$/);
      await send(page);
      const messages = await fetchApiMessages(artist.username, input);
      expect(messages).toEqual({ Email: 'Invalid email address' });
      await expectMessages(page, messages);
      await expect(page.getByLabel('Name')).toHaveValue(input.name);
      await expect(page.getByLabel('Email', { exact: true })).toHaveValue(input.email);
      await expect(page.getByLabel('Message')).toHaveValue(input.message);
      await expect(page.getByLabel('Email', { exact: true })).toBeFocused();
      await page.getByLabel('Email', { exact: true }).fill(FILLED_FORM.email);
      await send(page);
      await expect(page.getByRole('status')).toContainText('Thank you, your message was sent.');
    });
  });
}

/** The API's first message for each field with the same input, by label. */
async function fetchApiMessages(
  username: string,
  input: typeof FILLED_FORM,
): Promise<Record<string, string>> {
  const { status, body } = await callSite<{ detail: { loc: string[]; msg: string }[] }>(
    `POST /users/artist/${username}/contact`,
    { json: input },
  );
  expect(status).toBe(422);
  const labels: Record<string, string> = { name: 'Name', email: 'Email', message: 'Message' };
  return Object.fromEntries(
    body.detail.toReversed().map(({ loc, msg }) => [labels[loc[1] ?? ''] ?? loc.join('.'), msg]),
  );
}

async function expectMessages(page: Page, messages: Record<string, string>): Promise<void> {
  for (const label of ['Name', 'Email', 'Message']) {
    const field = page.getByLabel(label, { exact: true });
    await expect(field).toHaveAccessibleDescription(messages[label] ?? '');
    if (messages[label]) await expect(field).toHaveAttribute('aria-invalid', 'true');
  }
}
