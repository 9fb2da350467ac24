import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import type { Client } from '#contract/client.ts';
import { expect, test } from '#support/browser.ts';
import { button, clock } from '#support/browser_booking.ts';
import { clientOf, enterVisit, expectWrong, told } from '#support/browser_clients.ts';
import { logInAs } from '#support/browser_login.ts';
import { askFor, call } from '#support/browser_studio.ts';
import { expectOk } from '#support/calls.ts';
import { PASSWORD, type TestArtist } from '#support/new_artist.ts';

const ROSA = { first_name: 'Rosa', last_name: 'Quint', email: 'rosa@example.com' };
const IMRE = { first_name: 'Imre', last_name: 'Vogel', email: 'imre@example.com' };

async function openList(page: Page, artist: TestArtist): Promise<void> {
  await logInAs(page, artist);
  await page.goto('/studio/clients');
}

async function openClient(page: Page, artist: TestArtist, email: string): Promise<Client> {
  const client = await clientOf(artist, email);
  await logInAs(page, artist);
  await page.goto(`/studio/clients?id=${client.id}`);
  return client;
}

const rows = (page: Page) => page.getByRole('list', { name: 'Clients' }).getByRole('listitem');
const searchField = (page: Page) => page.getByLabel('Search clients');

/** 'Dec 1, 2026, 10:00 AM'. */
function moment(when: string | null, zone: string): string {
  const day = { timeZone: zone, month: 'short', day: 'numeric', year: 'numeric' } as const;
  if (when === null) throw new Error('No time');
  return `${new Intl.DateTimeFormat('en-US', day).format(new Date(when))}, ${clock(when, zone)}`;
}

test('clients are one row each, merged by email, with their bookings in the studio’s zone', async ({
  page,
  artist,
}) => {
  const last = await enterVisit(artist, ROSA, -2);
  const next = await enterVisit(artist, { ...ROSA, email: 'Rosa@Example.com' }, 3);
  await enterVisit(artist, IMRE, 4);
  await openList(page, artist);
  await expect(rows(page)).toHaveCount(2);
  const rosa = rows(page).filter({ hasText: 'Rosa Quint' });
  await expect(rosa).toContainText('2 bookings');
  await expect(rosa).toContainText(moment(last.start, 'America/New_York'));
  await expect(rosa).toContainText(moment(next.start, 'America/New_York'));
});

test('a client is found by name and email, and the address keeps the search', async ({
  page,
  artist,
}) => {
  await enterVisit(artist, ROSA, 3);
  await enterVisit(artist, IMRE, 4);
  await openList(page, artist);
  await searchField(page).fill('vog');
  await expect(rows(page)).toHaveText([/Imre Vogel/]);
  await expect(page).toHaveURL(/\?search=vog$/);
  await page.reload();
  await expect(searchField(page)).toHaveValue('vog');
  await expect(rows(page)).toHaveText([/Imre Vogel/]);

  await rows(page).getByRole('link').click();
  await expect(page.getByRole('heading', { name: 'Imre Vogel' })).toBeVisible();
  await page.getByRole('link', { name: 'All clients' }).click();
  await expect(searchField(page)).toHaveValue('vog');

  await searchField(page).fill('nobody at all');
  await expect(page.getByText('Nobody found')).toBeVisible();
  await button(page, 'Show all clients').click();
  await expect(rows(page)).toHaveCount(2);
});

test('a long list pages', async ({ page, managedArtist }) => {
  const emails = Array.from({ length: 51 }, (_, at) => `client-${at}@example.com`);
  for (const email of emails) await askFor(managedArtist.username, { email, first_name: email });
  await openList(page, managedArtist);
  await expect(rows(page)).toHaveCount(50);
  await button(page, 'Next').click();
  await expect(rows(page)).toHaveText([/client-0@example.com/]);
  await expect(page).toHaveURL(/\?skip=50$/);
  await page.reload();
  await expect(rows(page)).toHaveText([/client-0@example.com/]);
});

test('notes are kept, for the artist alone', async ({ page, artist }) => {
  await enterVisit(artist, ROSA, 3);
  await openClient(page, artist, ROSA.email);
  const notes = page.getByLabel('Your notes');
  await expect(button(page, 'Save notes')).toBeDisabled();
  await notes.fill('Nickel allergy.\nWants a second swallow.');
  await button(page, 'Save notes').click();
  await expect(told(page, 'Your notes are kept.')).toBeVisible();
  await expect(button(page, 'Save notes')).toBeDisabled();
  await page.reload();
  await expect(notes).toHaveValue('Nickel allergy.\nWants a second swallow.');
  expect((await clientOf(artist, ROSA.email)).notes).toContain('Nickel allergy.');
});

test('notes that were being typed outlive an expired login', async ({ page, artist, watch }) => {
  await enterVisit(artist, ROSA, 3);
  await openClient(page, artist, ROSA.email);
  await page.getByLabel('Your notes').fill('Half a sentence');
  // Every token that is out ends with a new password.
  const json = { current_password: PASSWORD, new_password: 'battery staple' };
  await expectOk(call('PATCH /users/me/password', { token: artist.token, json }));
  watch.expectTrouble(/PATCH .*\/clients\/.*: 401/);
  await button(page, 'Save notes').click();
  await page.waitForURL('**/login?next=*');
  await page.getByLabel('Email').fill(artist.self.email);
  await page.getByLabel('Password', { exact: true }).fill('battery staple');
  await page.locator('form').getByRole('button', { name: 'Log In' }).click();
  await page.waitForURL('**/studio/clients?id=*');
  await expect(page.getByLabel('Your notes')).toHaveValue('Half a sentence');
  await button(page, 'Save notes').click();
  await expect(told(page, 'Your notes are kept.')).toBeVisible();
});

test('details can be set right, and what is wrong is said beside its field', async ({
  page,
  artist,
}) => {
  await enterVisit(artist, ROSA, 3);
  await openClient(page, artist, ROSA.email);
  const phone = page.getByLabel('Phone number');
  await phone.fill('12');
  await phone.blur();
  await expectWrong(phone, 'Invalid phone number');
  await phone.fill('212 555 0100');
  await page.getByLabel('First name').fill('Rosalind');
  await page.getByLabel('Preferred contact').selectOption('text');
  await button(page, 'Save details').click();
  await expect(told(page, 'The details were changed.')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Rosalind Quint' })).toBeVisible();
  await expect(page.getByRole('link', { name: /^Call/ })).toHaveAttribute(
    'href',
    'tel:+12125550100',
  );
  await expect(page.getByRole('link', { name: /^Email/ })).toHaveAttribute(
    'href',
    `mailto:${ROSA.email}`,
  );
  expect(await clientOf(artist, ROSA.email)).toMatchObject({
    first_name: 'Rosalind',
    phone_number: '+12125550100',
    preferred_contact: 'text',
  });
});

test('two clients cannot have one email', async ({ page, artist, watch }) => {
  await enterVisit(artist, ROSA, 3);
  await enterVisit(artist, IMRE, 4);
  await openClient(page, artist, ROSA.email);
  const email = page.getByLabel('Email', { exact: true });
  await email.fill(IMRE.email);
  watch.expectTrouble(/PATCH .*\/clients\/.*: 409/);
  await button(page, 'Save details').click();
  await expect(email).toHaveAttribute('aria-invalid', 'true');
  await expect(email).toBeFocused();
  expect((await clientOf(artist, ROSA.email)).first_name).toBe('Rosa');
});

test('a client’s appointments lead to themselves, newest first', async ({ page, artist }) => {
  const older = await enterVisit(artist, ROSA, -2);
  const newer = await enterVisit(artist, ROSA, 3);
  await enterVisit(artist, IMRE, 4);
  await openClient(page, artist, ROSA.email);
  const links = page.getByRole('list', { name: 'Appointments' }).getByRole('link');
  await expect(links).toHaveCount(2);
  const hrefs = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')));
  expect(hrefs).toEqual([newer, older].map(({ id }) => `/studio/appointments?id=${id}`));
});

test('an artist without clients reads where they come from', async ({ page, artist, baseURL }) => {
  await openList(page, artist);
  await expect(page.getByText('No clients yet')).toBeVisible();
  await expect(page.getByRole('link', { name: `${baseURL}/${artist.username}/` })).toBeVisible();
  await expect(button(page, 'Copy link')).toBeVisible();
  await expect(button(page, 'Export as CSV')).toHaveCount(0);
});

test('another artist’s client is not there', async ({ page, artist, managedArtist, watch }) => {
  await enterVisit(artist, ROSA, 3);
  const { id } = await clientOf(artist, ROSA.email);
  watch.expectTrouble(/clients\/.*: 404/);
  await logInAs(page, managedArtist);
  await page.goto(`/studio/clients?id=${id}`);
  await expect(page.getByText('There is no such client')).toBeVisible();
});

test('all clients are saved as a table for spreadsheets', async ({ page, artist }) => {
  await enterVisit(artist, { ...ROSA, phone_number: '+12125550100' }, -2);
  await enterVisit(
    artist,
    { first_name: '=1+1', last_name: 'Ö, "Ink"', email: 'o@example.com' },
    3,
  );
  const rosa = await clientOf(artist, ROSA.email);
  const json = { notes: 'One line\nand another' };
  await expectOk(call(`PATCH /clients/${rosa.id}`, { token: artist.token, json }));
  await openList(page, artist);
  const download = page.waitForEvent('download');
  await button(page, 'Export as CSV').click();
  const file = await download;
  expect(file.suggestedFilename()).toMatch(/^clients-\d{4}-\d\d-\d\d\.csv$/);
  const text = await readFile(await file.path(), 'utf8');
  expect(text).toMatch(/^\uFEFFFirst name,Last name,Pronouns,Email,Phone number,/);
  expect(text).toContain('"\'=1+1","Ö, ""Ink""",,o@example.com,');
  expect(text).toContain('Rosa,Quint,,rosa@example.com,+12125550100,');
  expect(text).toContain(',"One line\nand another"');
});
