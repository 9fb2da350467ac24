import { expect, test } from '#support/browser.ts';
import {
  button,
  expectMessage,
  type FieldName,
  field,
  fillIn,
  openForm,
  pickSlot,
  saveAndGo,
  scriptsDone,
} from '#support/browser_booking.ts';
import {
  appointmentsOf,
  askFor,
  bookSlot,
  FILLED_FORM,
  openDays,
} from '#support/browser_studio.ts';
import type { TestArtist } from '#support/new_artist.ts';

interface Case {
  readonly what: string;
  readonly name: FieldName;
  readonly typed: string;
  /** The words, where the specification gives them. */
  readonly message?: string;
}

const CASES: readonly Case[] = [
  { what: 'no email', name: 'email', typed: '', message: 'Email is required' },
  { what: 'half an email', name: 'email', typed: 'rosa@', message: 'Invalid email address' },
  {
    what: 'an email without a top level',
    name: 'email',
    typed: 'rosa@example',
    message: 'Invalid email address',
  },
  {
    what: 'too short a phone number',
    name: 'phone_number',
    typed: '555 01',
    message: 'Invalid phone number',
  },
  {
    what: 'words for a phone number',
    name: 'phone_number',
    typed: 'call me',
    message: 'Invalid phone number',
  },
  { what: 'too long a first name', name: 'first_name', typed: 'R'.repeat(101) },
  { what: 'too long a last name', name: 'last_name', typed: 'Q'.repeat(101) },
  { what: 'too long pronouns', name: 'pronouns', typed: 'x'.repeat(51) },
  { what: 'too long notes', name: 'customer_notes', typed: 'n'.repeat(5001) },
];

test('bad input gets the server’s words beside the field once it is left', async ({
  page,
  managedArtist,
}) => {
  await page.goto(`/${managedArtist.username}/scheduling`);
  await scriptsDone(page);
  for (const { what, name, typed, message } of CASES)
    await test.step(what, async () => {
      const said = await wordsOfServer(managedArtist, name, typed);
      if (message !== undefined) expect(said).toBe(message);
      await expect(field(page, name)).toHaveAttribute('aria-invalid', 'false');
      await field(page, name).fill(typed);
      await field(page, name).blur();
      await expectMessage(page, name, said);
      await field(page, name).fill(FILLED_FORM[name]);
      await field(page, name).blur();
      await expect(page.getByText(said, { exact: true })).toHaveCount(0);
    });
});

async function wordsOfServer(
  { username }: TestArtist,
  name: FieldName,
  typed: string,
): Promise<string> {
  const { status, body } = await askFor(username, { [name]: typed });
  expect(status).toBe(422);
  expect(new Set(body.detail.map(({ loc }) => loc.join('.')))).toEqual(new Set([`body.${name}`]));
  return body.detail[0]?.msg ?? '';
}

test('saving bad input sends nothing, tells every message and leads to the first', {
  tag: '@desktop',
}, async ({ page, artist }) => {
  const [day] = await openDays(artist);
  const slot = day?.windows[0];
  if (!day || !slot) throw new Error('No open days');
  await openForm(page, artist);
  await pickSlot(page, day, slot);
  await fillIn(page, { phone_number: '12', email: 'nowhere' });
  await button(page, 'Save').click();
  await expectMessage(page, 'phone_number', 'Invalid phone number');
  await expectMessage(page, 'email', 'Invalid email address');
  await expect(field(page, 'phone_number')).toBeFocused();
  expect(await appointmentsOf(artist.token)).toEqual([]);

  const { status, body } = await bookSlot(artist, slot, { phone_number: '12', email: 'nowhere' });
  expect(status).toBe(422);
  expect(body.detail.map(({ loc, msg }) => [...loc, msg])).toEqual([
    ['body', 'phone_number', 'Invalid phone number'],
    ['body', 'email', 'Invalid email address'],
  ]);

  await fillIn(page, { phone_number: '', email: 'rosa@example.com' });
  await saveAndGo(page, artist.username);
});

test('the email alone is required', async ({ page, managedArtist }) => {
  await page.goto(`/${managedArtist.username}/scheduling`);
  await expect(page.locator('[required]')).toHaveCount(1);
  await expect(field(page, 'email')).toHaveAttribute('required');
  await expect(field(page, 'email')).toHaveAttribute('type', 'email');
});
