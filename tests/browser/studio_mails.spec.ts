import type { Page } from '@playwright/test';
import type { ListPage } from '#contract/common.ts';
import type { OutgoingMail } from '#contract/mail.ts';
import { expect, test } from '#support/browser.ts';
import { callSite } from '#support/browser_api.ts';
import { button } from '#support/browser_booking.ts';
import { enterAppointmentFor, findClient, successToast } from '#support/browser_clients.ts';
import { runStatement } from '#support/browser_database.ts';
import { listMailsTo } from '#support/browser_inbox.ts';
import { logInAs } from '#support/browser_login.ts';
import { expectOk } from '#support/call_api.ts';
import type { TestArtist } from '#support/new_artist.ts';

/** Waits until the mail about an appointment is saved as a file: the server has no mail server. */
async function waitUntilMailSaved({ token }: TestArtist, appointmentId: string): Promise<void> {
  const path = `GET /mails/?appointment_id=${appointmentId}`;
  const states = async () => {
    const { data } = await expectOk(callSite<ListPage<OutgoingMail>>(path, { token }));
    return data.map(({ status }) => status);
  };
  await expect.poll(states, { timeout: 20_000 }).toEqual(['saved']);
}

/** Sets the state that follows when a mail server refuses the address. */
async function markUndelivered(appointmentId: string, clientId: string): Promise<void> {
  await runStatement(
    "UPDATE mails SET status = 'failed', failure = '550 No such user here' WHERE appointment_id = $1",
    [appointmentId],
  );
  await runStatement('UPDATE clients SET email_failed_at = now() WHERE id = $1', [clientId]);
}

function mailLog(page: Page) {
  return page.getByRole('list', { name: 'Mail', exact: true }).getByRole('listitem');
}

function undeliveredMails(page: Page) {
  return page.getByRole('region', { name: 'Mail that did not arrive' });
}

test('home shows mail that did not arrive, and the artist sends it again to a corrected address', async ({
  page,
  artist,
}) => {
  const right = `rosa-${artist.username}@example.com`;
  const wrong = `roza-${artist.username}@example.com`;
  const rosa = { first_name: 'Rosa', last_name: 'Quint' };
  const { id } = await enterAppointmentFor(artist, { ...rosa, email: wrong }, 3);
  await waitUntilMailSaved(artist, id);
  await markUndelivered(id, (await findClient(artist, wrong)).id);
  await logInAs(page, artist);
  await page.goto('/');
  await undeliveredMails(page)
    .getByRole('link', { name: /Rosa Quint/ })
    .click();
  await page.waitForURL('**/studio/appointments?id=*');
  await expect(mailLog(page)).toHaveText([/Booking confirmation to Rosa.*Not delivered.*550/]);

  await button(page, 'Send again: Booking confirmation to Rosa').click();
  const dialog = page.getByRole('dialog', { name: 'Send this mail again?' });
  await expect(dialog.getByLabel('Email', { exact: true })).toHaveValue(wrong);
  await dialog.getByLabel('Email', { exact: true }).fill(right);
  await dialog.getByRole('button', { name: 'Send again' }).click();
  await expect(successToast(page, `It goes to ${right}`)).toBeVisible();
  await expect(mailLog(page)).toHaveCount(2);
  await expect(mailLog(page).first()).toContainText(right);
  await expect(mailLog(page).first()).toContainText('Saved, not sent', { timeout: 15_000 });
  const arrived = await listMailsTo(right);
  expect(arrived.map(({ subject }) => subject)).toEqual([expect.stringMatching(/^Booked/)]);
  await expect(page.getByRole('link', { name: right })).toBeVisible();
  expect((await findClient(artist, right)).email_failed_at).toBeNull();

  await page.goto('/');
  await expect(page.getByRole('heading', { name: 'Today and the week ahead' })).toBeVisible();
  await expect(page.getByRole('link', { name: /Rosa Quint/ })).toBeVisible();
  await expect(undeliveredMails(page)).toHaveCount(0);
});
