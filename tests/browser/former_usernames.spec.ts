import { expect, test } from '#support/browser.ts';
import { bookSiteSlot, callSite, findOpenDay } from '#support/browser_api.ts';
import { siteUrl } from '#support/browser_server.ts';
import { expectOk } from '#support/call_api.ts';
import { fetchSite } from '#support/html_page.ts';
import type { TestArtist } from '#support/new_artist.ts';

async function rename({ token }: TestArtist, username: string): Promise<void> {
  await expectOk(callSite('PATCH /users/me', { token, json: { username } }));
}

/** Where a path leads, and how. */
async function visit(path: string, init: RequestInit = {}) {
  const { status, headers } = await fetchSite(path, { redirect: 'manual', ...init });
  return [status, headers.get('Location')] as const;
}

test('every page of an old username leads to the same page of the present one, also from the cache, and posts its forms there', {
  tag: '@all',
}, async ({ artist }) => {
  const { slot } = await findOpenDay(artist);
  const { id } = await expectOk(bookSiteSlot(artist, slot));
  const old = artist.username;
  for (const path of ['', '/', '/about', '/services'])
    expect((await visit(`/${old}${path}`))[0]).toBe(200);
  await rename(artist, `${old}-2`);
  for (const path of ['/', '/about', '/contact', '/services', '/scheduling']) {
    expect(await visit(`/${old}${path}`)).toEqual([301, `/${old}-2${path}`]);
    const { headers } = await fetchSite(`/${old}${path}`, { redirect: 'manual' });
    expect([headers.get('Location'), headers.get('Cache-Status')]).toEqual([
      `/${old}-2${path}`,
      expect.stringMatching(/^Linework; hit;/),
    ]);
  }
  const page = `/confirmation/${id}?mail_token=a%20b`;
  expect(await visit(`/${old}${page}`)).toEqual([301, `/${old}-2${page}`]);
  const body = new URLSearchParams({ action: 'release' });
  const headers = { Origin: siteUrl() };
  const posted = await visit(`/${old}${page}`, { method: 'POST', body, headers });
  expect(posted).toEqual([308, `/${old}-2${page}`]);
  await rename(artist, `${old}-3`);
  for (const former of [old, `${old}-2`, old.toUpperCase()])
    expect(await visit(`/${former}/about`)).toEqual([301, `/${old}-3/about`]);
  await rename(artist, old);
  expect((await visit(`/${old}/about`))[0]).toBe(200);
  expect(await visit(`/${old}-2/about`)).toEqual([301, `/${old}/about`]);
});

test('a username with a dot has every page, card and calendar file, also from the cache, and an @ before a username is dropped', {
  tag: '@all',
}, async ({ artist }) => {
  const { slot } = await findOpenDay(artist);
  const { id } = await expectOk(bookSiteSlot(artist, slot));
  const username = `${artist.username}.tattoo`;
  await rename(artist, username);
  for (const path of ['', '/', '/about', '/contact', '/services', '/scheduling']) {
    const page = await fetchSite(`/${username}${path}`);
    expect([path, page.status]).toEqual([path, 200]);
    expect(await page.text()).toMatch(new RegExp(`rel="canonical" href="[^"]+/${username}/`));
    expect(await visit(`/@${username}${path}`)).toEqual([301, `/${username}${path || '/'}`]);
  }
  for (const path of [`/${username}/`, `/api/v1/users/artist/${username}/share-image`]) {
    await fetchSite(path);
    expect((await fetchSite(path)).headers.get('Cache-Status')).toMatch(/^Linework; hit;/);
  }
  const page = `/${username}/confirmation/${id}`;
  expect((await visit(page))[0]).toBe(200);
  await expectOk(callSite(`POST /appointments/confirmation/${id}`));
  const calendar = await fetchSite(`${page}/appointment.ics`);
  expect(calendar.headers.get('Content-Type')).toContain('text/calendar');
  expect(await visit(`/@${page.slice(1)}?mail_token=a`)).toEqual([301, `${page}?mail_token=a`]);
  expect(await visit('/@nobody')).toEqual([302, '/404']);
});
