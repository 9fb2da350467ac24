import { expect, test } from '#support/browser.ts';
import { bookSiteSlot, callSite, findOpenDay } from '#support/browser_api.ts';
import { button } from '#support/browser_booking.ts';
import { successToast } from '#support/browser_clients.ts';
import { logInAs } from '#support/browser_login.ts';
import { siteUrl } from '#support/browser_server.ts';
import { expectOk } from '#support/call_api.ts';
import type { TestArtist } from '#support/new_artist.ts';

test.use({ viewport: { width: 390, height: 844 } });

async function rename({ token }: TestArtist, username: string): Promise<void> {
  await expectOk(callSite('PATCH /users/me', { token, json: { username } }));
}

/** Where a path leads, and how. */
async function visit(path: string, init: RequestInit = {}) {
  const response = await fetch(siteUrl() + path, { redirect: 'manual', ...init });
  return [response.status, response.headers.get('Location')] as const;
}

test('every page of an old username leads to the same page of the present one, also from caches', async ({
  artist,
}) => {
  const old = artist.username;
  for (const path of ['', '/', '/about', '/services'])
    expect((await visit(`/${old}${path}`))[0]).toBe(200);
  await rename(artist, `${old}-2`);
  const paths = ['', '/', '/about', '/contact', '/services', '/scheduling?service=x&a=%20b'];
  // The second visit is answered by the cache.
  for (let n = 0; n < 2; n += 1)
    for (const path of paths)
      expect(await visit(`/${old}${path}`)).toEqual([301, `/${old}-2${path || '/'}`]);
  expect((await visit(`/${old}-2/`))[0]).toBe(200);
  await rename(artist, `${old}-3`);
  for (const former of [old, `${old}-2`, old.toUpperCase()])
    expect(await visit(`/${former}/about`)).toEqual([301, `/${old}-3/about`]);
  await rename(artist, old);
  expect((await visit(`/${old}/about`))[0]).toBe(200);
  expect(await visit(`/${old}-3/about`)).toEqual([301, `/${old}/about`]);
});

test('a client’s page and its forms work under the old username', async ({ artist }) => {
  const { slot } = await findOpenDay(artist);
  const { id } = await expectOk(bookSiteSlot(artist, slot));
  const old = artist.username;
  await rename(artist, `${old}-2`);
  const page = `/confirmation/${id}?mail_token=abc`;
  expect(await visit(`/${old}${page}`)).toEqual([301, `/${old}-2${page}`]);
  const posted = await visit(`/${old}${page}`, {
    method: 'POST',
    body: new URLSearchParams({ action: 'release' }),
    headers: { Origin: siteUrl() },
  });
  expect(posted).toEqual([308, `/${old}-2${page}`]);
  expect((await visit(`/${old}/confirmation/${crypto.randomUUID()}`))[0]).toBe(404);
  expect((await visit(`/ana/confirmation/${id}`))[0]).toBe(404);
});

test('an artist shows another email, or none: then Email Me opens the contact form', async ({
  page,
  artist,
}) => {
  const emailMe = page.getByRole('link', { name: 'Email Me' });
  const section = page.getByRole('region', { name: 'Email on your page' });
  await logInAs(page, artist);
  await page.goto('/studio/profile#public-email');
  await section.getByText('Another email').click();
  await button(page, 'Save what clients see').click();
  await expect(section.getByText('Email is required')).toBeVisible();
  await section.getByLabel('Email on your page').fill('desk@example');
  await expect(section.getByText('Invalid email address')).toBeVisible();
  await section.getByLabel('Email on your page').fill('desk@example.com');
  await button(page, 'Save what clients see').click();
  await expect(successToast(page, 'Saved.')).toBeVisible();
  await page.goto(`/${artist.username}/`);
  await expect(emailMe).toHaveAttribute('href', 'mailto:desk@example.com');

  await page.goto('/studio/profile#public-email');
  await section.getByText(/^None:/).click();
  await button(page, 'Save what clients see').click();
  await expect(successToast(page, 'Saved.')).toBeVisible();
  await page.goto(`/${artist.username}/`);
  await emailMe.click();
  await expect(page).toHaveURL(new RegExp(`/${artist.username}/contact$`));
  await expect(page.getByRole('heading', { name: 'Get in Touch' })).toBeVisible();
  expect(await page.content()).not.toContain(artist.self.email);
});
