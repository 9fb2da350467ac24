import type { Page } from '@playwright/test';
import { expect, test } from '#support/browser.ts';
import { callSite } from '#support/browser_api.ts';

const NOTHING = { name: '', email: '', message: '' };
const LETTER = {
  name: 'Rosa Quint',
  email: 'rosa@example.com',
  message: 'Do you do cover-ups?\nMine is <b>old</b> & faded.',
};

async function fillIn(page: Page, { name, email, message }: typeof LETTER): Promise<void> {
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
      await fillIn(page, LETTER);
      await send(page);
      await expect(page.getByRole('status')).toContainText('Thank you, your message was sent.');
      const posted: string[] = [];
      page.on('request', (request) => posted.push(request.method()));
      await page.reload();
      await expect(page.getByRole('status')).toContainText('Thank you, your message was sent.');
      expect(posted).not.toContain('POST');
    });

    test('an empty form gets a message beside each field', async ({ page, artist, watch }) => {
      await page.goto(`/${artist.username}/contact`);
      watch.expectError(/^POST \/.*\/contact: 422$/);
      await send(page);
      await expectMessages(page, await wordsOfServer(artist.username, NOTHING));
      await expectMessages(page, {
        Name: 'Name is required',
        Email: 'Email is required',
        Message: 'Message is required',
      });
      await expect(page.getByLabel('Name')).toBeFocused();
      await expect(page).toHaveTitle(/^Error: /);
    });

    test('a bad email is told beside it, what was typed stays and can be sent corrected', async ({
      page,
      artist,
      watch,
    }) => {
      const typed = { ...LETTER, email: 'rosa@' };
      await page.goto(`/${artist.username}/contact`);
      await fillIn(page, typed);
      watch.expectError(/^POST \/.*\/contact: 422$/);
      await send(page);
      const words = await wordsOfServer(artist.username, typed);
      expect(words).toEqual({ Email: 'Invalid email address' });
      await expectMessages(page, words);
      await expect(page.getByLabel('Name')).toHaveValue(typed.name);
      await expect(page.getByLabel('Email', { exact: true })).toHaveValue(typed.email);
      await expect(page.getByLabel('Message')).toHaveValue(typed.message);
      await expect(page.getByLabel('Email', { exact: true })).toBeFocused();
      await page.getByLabel('Email', { exact: true }).fill(LETTER.email);
      await send(page);
      await expect(page.getByRole('status')).toContainText('Thank you, your message was sent.');
    });
  });
}

/** By label, what the API says first to the same input. */
async function wordsOfServer(
  username: string,
  typed: typeof LETTER,
): Promise<Record<string, string>> {
  const { status, body } = await callSite<{ detail: { loc: string[]; msg: string }[] }>(
    `POST /users/artist/${username}/contact`,
    { json: typed },
  );
  expect(status).toBe(422);
  const labels: Record<string, string> = { name: 'Name', email: 'Email', message: 'Message' };
  return Object.fromEntries(
    body.detail.toReversed().map(({ loc, msg }) => [labels[loc[1] ?? ''] ?? loc.join('.'), msg]),
  );
}

async function expectMessages(page: Page, messages: Record<string, string>): Promise<void> {
  for (const label of ['Name', 'Email', 'Message']) {
    const input = page.getByLabel(label, { exact: true });
    await expect(input).toHaveAccessibleDescription(messages[label] ?? '');
    if (messages[label]) await expect(input).toHaveAttribute('aria-invalid', 'true');
  }
}
