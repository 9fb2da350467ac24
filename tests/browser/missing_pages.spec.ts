// These tests use only HTTP, without a browser.
import { randomUUID } from 'node:crypto';
import { expect, test } from '@playwright/test';
import { bookSiteSlot, callSite, findOpenDay, newSiteArtist } from '#support/browser_api.ts';
import { expectOk } from '#support/call_api.ts';
import { attributeOf, fetchPage, fetchSite, textsOf } from '#support/html_page.ts';
import type { TestArtist } from '#support/new_artist.ts';

const PRIVATE_HEADERS = {
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex',
};

async function bookSlot(artist: TestArtist): Promise<string> {
  const { slot } = await findOpenDay(artist);
  return (await expectOk(bookSiteSlot(artist, slot))).id;
}

/** The path shows the page for what is not there, at its own address or at another. */
async function expectNotFound(path: string, shownAt = path) {
  const { status, pathname, document } = await fetchPage(path);
  expect([path, status, pathname]).toEqual([path, 404, shownAt]);
  const texts = textsOf(document, 'main p');
  expect(texts, path).toContain('Page not found.');
  expect(attributeOf(document, 'meta[name=robots]', 'content'), path).toBe('noindex');
  const links = [...document.querySelectorAll('main a')].map((link) => link.getAttribute('href'));
  return { saysNoArtist: texts.includes('Artist not found.'), links };
}

test('pages of unknown artists redirect to /404; an unknown URL shows it, uncached, with ways back to the artist and to Explore', {
  tag: '@all',
}, async () => {
  for (const rest of ['/', '/services', '/about', '/contact', '/scheduling'])
    expect((await expectNotFound(`/nobody-by-that-name${rest}`, '/404')).saysNoArtist).toBe(true);
  const id = randomUUID();
  for (const path of [`/nobody-by-that-name/designs/${id}`, '/nobody-by-that-name/?free=1'])
    expect((await expectNotFound(path, '/404')).saysNoArtist, path).toBe(true);
  for (const path of [`/ana/designs/${id}`, '/ana/about/not-an-id']) {
    const { saysNoArtist, links } = await expectNotFound(path);
    expect([path, saysNoArtist, links[0]]).toEqual([path, false, '/ana/']);
    const { headers } = await fetchSite(path);
    expect([path, headers.get('cache-control')]).toEqual([path, 'no-store']);
  }
  for (const path of ['/no/such/page', '/ana/no-such-page', '/studio/no/such/page'])
    expect((await expectNotFound(path)).saysNoArtist, path).toBe(false);
  expect((await expectNotFound('/no/such/page')).links[0]).toBe('/explore/');
});

test('a confirmation page is not found under another artist, where a lost link can be mailed; not cached, not indexed, and sends no referrer', {
  tag: '@all',
}, async () => {
  const artist = await newSiteArtist();
  const id = await bookSlot(artist);
  for (const username of ['ana', artist.username]) {
    const contact = `/${username}/contact#lost-link`;
    const missing = username === 'ana' ? id : 'not-an-id';
    const { links } = await expectNotFound(`/${username}/confirmation/${missing}/`);
    expect(links).toEqual([contact, `/${username}/`, '/explore/']);
    for (const path of [`/${username}/`, `/${username}/scheduling`]) {
      const { document } = await fetchPage(path);
      const href = attributeOf(document, 'footer a[href$="#lost-link"]', 'href');
      expect([path, href]).toEqual([path, contact]);
    }
  }
  const nobody = await expectNotFound(`/nobody-by-that-name/confirmation/${id}/`);
  expect(nobody.links).not.toContain('/nobody-by-that-name/contact#lost-link');
  // A hold has no calendar file, under its own artist either.
  for (const username of ['ana', artist.username]) {
    const calendar = await fetchSite(`/${username}/confirmation/${id}/appointment.ics`);
    expect(calendar.status, username).toBe(404);
  }

  const { status, headers, document } = await fetchPage(`/${artist.username}/confirmation/${id}/`);
  expect([status, Object.fromEntries(headers)]).toMatchObject([200, PRIVATE_HEADERS]);
  expect(attributeOf(document, 'meta[name=robots]', 'content')).toBe('noindex');
  expect(document.querySelector('link[rel=canonical], meta[property="og:url"]')).toBeNull();
  // Nothing on the page overrides the header.
  expect(document.querySelector('meta[name=referrer], [referrerpolicy]')).toBeNull();
});

test('the link of a mail redirects to the appointment, the artist or the contact page under the present username', {
  tag: '@all',
}, async () => {
  const artist = await newSiteArtist();
  const id = await bookSlot(artist);
  const username = `${artist.username}-2`;
  await expectOk(callSite('PATCH /users/me', { token: artist.token, json: { username } }));
  const response = await fetchSite(`/confirmation/${id}`, { redirect: 'manual' });
  expect([response.status, Object.fromEntries(response.headers)]).toMatchObject([
    302,
    { location: `/${username}/confirmation/${id}`, ...PRIVATE_HEADERS },
  ]);
  const { pathname } = await fetchPage(`/confirmation/${id}?artist`);
  expect(pathname).toMatch(new RegExp(`^/${username}/?$`));
  const contact = await fetchPage(`/confirmation/${id}?contact`);
  expect(contact.pathname).toMatch(new RegExp(`^/${username}/contact/?$`));
  for (const unknown of [randomUUID(), 'not-an-id']) {
    await expectNotFound(`/confirmation/${unknown}`);
    const { headers } = await fetchSite(`/confirmation/${unknown}`);
    expect(headers.get('cache-control')).toBe('no-store');
  }
});
