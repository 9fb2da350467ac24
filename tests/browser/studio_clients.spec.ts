import { readFile } from 'node:fs/promises';
import { expect, test } from '#support/browser.ts';
import { button } from '#support/browser_booking.ts';
import { enterAppointmentFor, findClient, successToast } from '#support/browser_clients.ts';
import { logInAs } from '#support/browser_login.ts';

const ROSA = { first_name: 'Rosa', last_name: 'Quint', email: 'rosa@example.com' };
const INK = { first_name: '=1+1', last_name: 'Ö, "Ink"', email: 'o@example.com' };

test('an artist searches for a client, saves notes, and exports all clients as CSV', async ({
  page,
  artist,
}) => {
  await enterAppointmentFor(artist, { ...ROSA, phone_number: '+12125550100' }, -2);
  await enterAppointmentFor(artist, INK, 3);
  await logInAs(page, artist);
  await page.goto('/studio/clients');
  const rows = page.getByRole('list', { name: 'Clients' }).getByRole('listitem');
  const search = page.getByLabel('Search clients');
  await expect(rows).toHaveCount(2);
  await search.fill('quin');
  await expect(rows).toHaveText([/Rosa Quint/]);
  await expect(page).toHaveURL(/\?search=quin$/);

  await rows.getByRole('link').click();
  await expect(page.getByRole('heading', { name: 'Rosa Quint' })).toBeVisible();
  const notes = page.getByLabel('Your notes');
  await notes.fill('Nickel allergy.\nWants a second swallow.');
  await button(page, 'Save notes').click();
  await expect(successToast(page, 'Your notes are kept.')).toBeVisible();
  await page.reload();
  await expect(notes).toHaveValue('Nickel allergy.\nWants a second swallow.');
  expect((await findClient(artist, ROSA.email)).notes).toContain('Nickel allergy.');

  await page.getByRole('link', { name: 'All clients' }).click();
  await expect(search).toHaveValue('quin');
  const download = page.waitForEvent('download');
  await button(page, 'Export as CSV').click();
  const file = await download;
  expect(file.suggestedFilename()).toMatch(/^clients-\d{4}-\d\d-\d\d\.csv$/);
  const text = await readFile(await file.path(), 'utf8');
  expect(text).toMatch(/^\uFEFFFirst name,Last name,Pronouns,Email,Phone number,/);
  expect(text).toContain('"\'=1+1","Ö, ""Ink""",,o@example.com,');
  expect(text).toContain('Rosa,Quint,,rosa@example.com,tel:+12125550100,');
  expect(text).toContain(',"Nickel allergy.\nWants a second swallow."');
});
