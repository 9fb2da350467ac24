import { expect, test } from 'vitest';
import { DEFAULT_CACHE_POLICY } from '#cache/policy.ts';
import { Signup } from '#contract/account_form.ts';
import { findPasswordHash } from '#server/database/artists.ts';
import { checkUsername } from '#server/operations/accounts/signup_checks.ts';
import type { Context } from '#server/operations/context.ts';
import { listFindableArtists } from '#server/operations/studio/artist_views.ts';
import { changeSchedule, createArtist } from '#server/operations/studio/artists.ts';
import { openArtistContext } from '#support/artist_app.ts';
import { listNotices } from '#support/database_rows.ts';
import { createSignup } from '#support/new_artist.ts';
import { openTestContext } from '#support/test_context.ts';

function signupOf(username: string, changes: Record<string, unknown> = {}) {
  const account = { email: `${username}@example.com`, full_name: 'Ana Reyes', username };
  return Signup.parse(createSignup({ ...account, studio_name: 'Ink & Ivory', ...changes }));
}
const VISITOR = { network: '192.0.2.0/24' };
/** Signs up as a visitor does. */
const signUp = (context: Context, signup: Signup) =>
  createArtist(context, { ...signup, is_active: true, is_superuser: false }, VISITOR);
const newName = () => `ana-${crypto.randomUUID().slice(0, 13)}`;

test('a new account has a studio, no hours, a hashed password and a welcome mail', async () => {
  const { context, invalidatedTags } = await openTestContext();
  const username = newName();
  const self = await signUp(context, signupOf(username.toUpperCase()));
  expect(self).toMatchObject({
    username,
    studio: { name: 'Ink & Ivory', time_zone: 'America/New_York' },
    scheduling_type: null,
    is_superuser: false,
    schedule: { weekly: [], exceptions: [] },
  });
  expect((await findPasswordHash(context.database, self.id))?.password_hash).toMatch(/^\$argon2id/);
  expect(await listNotices(context.database, self.id)).toEqual([`welcome to ${self.email}`]);
  // A cached 404 page of this username must be invalidated.
  expect(invalidatedTags).toEqual([`username:${username}`]);
});

test('sign-up refuses a taken username or one of the product, and a taken email in any letter case', async () => {
  const { context } = await openTestContext();
  const username = newName();
  const { email } = await signUp(context, signupOf(username));
  const sameName = signUp(context, signupOf(username, { email: 'other@example.com' }));
  await expect(sameName).rejects.toMatchObject({ reason: 'username_taken' });
  const site = { ...context.site, productName: 'Ínk Book' };
  for (const name of ['inkbook', 'ink-book2', 'inkbook_support', 'the-ink_book']) {
    const { why } = await checkUsername({ ...context, site }, name);
    expect(why).toBe('This username is not available');
    const signedUp = signUp({ ...context, site }, signupOf(name));
    await expect(signedUp).rejects.toThrow('This username is not available');
  }
  await signUp({ ...context, site }, signupOf(`inkbook-${newName()}`));
  const sameEmail = signUp(context, signupOf(newName(), { email: email.toUpperCase() }));
  await expect(sameEmail).rejects.toMatchObject({ reason: 'email_taken' });
});

test('changing hours or booking range invalidates the availability; the range also the artist’s pages', async () => {
  const { context, artist, invalidatedTags } = await openArtistContext();
  const weekly = [{ weekday: 1, windows: [{ start: '09:00', end: '12:00' }] }];
  expect((await changeSchedule(context, artist.id, { weekly })).schedule).toMatchObject({
    weekly,
    slot_interval_minutes: 30,
  });
  const tags = [`availability:${artist.id}`];
  expect(new Set(invalidatedTags)).toEqual(new Set(tags));
  const self = await changeSchedule(context, artist.id, { booking_range: { kind: 'open' } });
  expect(self.booking_range).toEqual({ kind: 'open' });
  // It can close the books.
  const pages = [`artist:${artist.id}`, 'explore'];
  expect(new Set(invalidatedTags)).toEqual(new Set([...tags, ...pages]));
});

test('the list for search engines is cached for the default maxAge', async () => {
  const { context } = await openTestContext();
  const now = Date.now();
  const { until } = await listFindableArtists(context, { skip: 0, limit: 1 }, now);
  expect(until).toBe(now + DEFAULT_CACHE_POLICY.maxAge * 1000);
});
