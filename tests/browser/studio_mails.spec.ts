import type { Page } from '@playwright/test';
import type { Listed } from '#contract/common.ts';
import type { SentMail } from '#contract/mail.ts';
import { expect, test } from '#support/browser.ts';
import { button } from '#support/browser_booking.ts';
import { clientOf, enterVisit, told } from '#support/browser_clients.ts';
import { logInAs } from '#support/browser_login.ts';
import { serveInstead } from '#support/browser_server.ts';
import { call } from '#support/browser_studio.ts';
import { expectOk } from '#support/calls.ts';
import type { TestArtist } from '#support/new_artist.ts';
import { openSmtp, type Smtp } from '#support/smtp.ts';

const ROSA = { first_name: 'Rosa', last_name: 'Quint', email: 'rosa@example.com' };
/** Mistyped: nobody has this address. */
const ROZA = { ...ROSA, email: 'roza@example.com' };

// A site of their own, whose mail goes to a server that refuses an address.
test.describe.configure({ mode: 'default', timeout: 90_000 });
let smtp: Smtp;
let stop: () => Promise<void>;

test.beforeAll(async () => {
  test.setTimeout(240_000);
  smtp = await openSmtp();
  smtp.refuse(ROZA.email, '550 5.1.1 No such user here');
  stop = await serveInstead({ SMTP_URL: smtp.url });
});

test.afterAll(async () => {
  await stop();
  await smtp[Symbol.asyncDispose]();
});

/** Until so many mails of the artist stand so. */
async function mailsAre(
  { token }: TestArtist,
  status: SentMail['status'],
  count: number,
): Promise<void> {
  const read = () => expectOk(call<Listed<SentMail>>(`GET /mails/?status=${status}`, { token }));
  await expect
    .poll(async () => (await read()).data.filter((mail) => mail.appointment_id !== null).length, {
      timeout: 20_000,
    })
    .toBe(count);
}

function trail(page: Page) {
  return page.getByRole('list', { name: 'Mail', exact: true }).getByRole('listitem');
}

function unreached(page: Page) {
  return page.getByRole('region', { name: 'Mail that did not arrive' });
}

test('mail that did not arrive is told at home, and sent again to the right address', async ({
  page,
  artist,
}) => {
  await enterVisit(artist, ROZA, 3);
  await mailsAre(artist, 'failed', 1);
  await logInAs(page, artist);
  await page.goto('/');
  await unreached(page)
    .getByRole('link', { name: /Rosa Quint/ })
    .click();
  await page.waitForURL('**/studio/appointments?id=*');
  await expect(trail(page)).toHaveCount(1);
  await expect(trail(page)).toContainText('Booking confirmation to Rosa');
  await expect(trail(page)).toContainText('Not delivered');
  await expect(trail(page)).toContainText('550');

  await button(page, 'Send again: Booking confirmation to Rosa').click();
  const dialog = page.getByRole('dialog', { name: 'Send this mail again?' });
  await expect(dialog.getByLabel('Email', { exact: true })).toHaveValue(ROZA.email);
  await dialog.getByLabel('Email', { exact: true }).fill(ROSA.email);
  await dialog.getByRole('button', { name: 'Send again' }).click();
  await expect(told(page, `It goes to ${ROSA.email}`)).toBeVisible();
  await expect(trail(page)).toHaveCount(2);
  await expect(trail(page).first()).toContainText(ROSA.email);
  await expect(trail(page).first()).toContainText('Sent ', { timeout: 15_000 });
  const arrived = smtp.mails.filter(({ envelope }) => envelope.to.includes(ROSA.email));
  expect(arrived.map(({ subject }) => subject)).toEqual([expect.stringMatching(/^Booked/)]);
  await expect(page.getByRole('link', { name: ROSA.email })).toBeVisible();
  expect((await clientOf(artist, ROSA.email)).email_failed_at).toBeNull();

  await page.goto('/');
  await expect(page.getByRole('heading', { name: 'Today and the week ahead' })).toBeVisible();
  await expect(page.getByRole('link', { name: /Rosa Quint/ })).toBeVisible();
  await expect(unreached(page)).toHaveCount(0);
});

test('a client whom mail does not reach is flagged until their address is changed', async ({
  page,
  artist,
}) => {
  await enterVisit(artist, ROZA, 3);
  await mailsAre(artist, 'failed', 1);
  await logInAs(page, artist);
  await page.goto('/studio/clients');
  const row = page.getByRole('list', { name: 'Clients' }).getByRole('listitem');
  await expect(row).toContainText('Mail does not arrive');
  await row.getByRole('link').click();
  const flag = page.getByText(`Mail to ${ROZA.email} has not arrived since`);
  await expect(flag).toBeVisible();
  await page.getByRole('link', { name: 'change it in their details' }).click();
  await page.getByLabel('Email', { exact: true }).fill(ROSA.email);
  await button(page, 'Save details').click();
  await expect(told(page, 'The details were changed.')).toBeVisible();
  await expect(flag).toHaveCount(0);
  await page.goto('/studio/clients');
  await expect(row).toContainText(ROSA.email);
  await expect(row).not.toContainText('Mail does not arrive');
});

test('what the artist does is in the trail a moment later, and whoever has no email is not written to', async ({
  page,
  artist,
}) => {
  const { id } = await enterVisit(artist, ROSA, 3);
  const silent = await enterVisit(artist, { first_name: 'Imre' }, 4);
  await mailsAre(artist, 'sent', 1);
  await logInAs(page, artist);
  await page.goto(`/studio/appointments?id=${id}`);
  await expect(trail(page)).toHaveText([/Booking confirmation to Rosa.*Sent/]);
  await button(page, 'Cancel appointment').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Cancel appointment' }).click();
  await expect(told(page, 'Rosa is told by email.')).toBeVisible();
  await expect(trail(page)).toHaveText(
    [/Cancellation to Rosa.*Sent/, /Booking confirmation to Rosa.*Sent/],
    { timeout: 15_000 },
  );
  // It says what is no longer so.
  await expect(button(page, 'Send again: Booking confirmation to Rosa')).toHaveCount(0);
  await expect(button(page, 'Send again: Cancellation to Rosa')).toBeVisible();

  await page.goto(`/studio/appointments?id=${silent.id}`);
  await expect(page.getByText('there is no email address to write to')).toBeVisible();
});
