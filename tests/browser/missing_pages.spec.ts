// These tests use only HTTP, without a browser.
import { randomUUID } from 'node:crypto';
import { expect, test } from '@playwright/test';
import {
  bookSiteSlot,
  callSite,
  findOpenDay,
  loadDemoArtist,
  newSiteArtist,
} from '#support/browser_api.ts';
import { addDesigns } from '#support/browser_artwork.ts';
import { expectOk } from '#support/call_api.ts';
import { attributeOf, fetchPage, fetchSite, hrefOf, textsOf } from '#support/html_page.ts';
import type { TestArtist } from '#support/new_artist.ts';

async function bookSlot(artist: TestArtist): Promise<string> {
  const { slot } = await findOpenDay(artist);
  return (await expectOk(bookSiteSlot(artist, slot))).id;
}

const PRIVATE_HEADERS = {
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex',
};
const NOT_FOUND = { status: 404, headings: ['404'], text: 'Page not found.' };

/** Fetches a page and the parts of it that a missing page shows. */
async function fetchNotFound(path: string) {
  const { status, document, ...page } = await fetchPage(path);
  const text = textsOf(document, 'main p').find((paragraph) => paragraph === NOT_FOUND.text);
  return { ...page, document, shown: { status, headings: textsOf(document, 'h1'), text } };
}

test('pages of unknown artists redirect to /404; an unknown URL shows it with status 404 and noindex', {
  tag: '@all',
}, async () => {
  for (const rest of ['/', '/services', '/about', '/contact', '/scheduling']) {
    const { pathname, shown } = await fetchNotFound(`/nobody-by-that-name${rest}`);
    expect([rest, pathname, shown]).toEqual([rest, '/404', NOT_FOUND]);
  }
  for (const path of ['/no/such/page', '/ana/no-such-page', '/studio/no/such/page']) {
    const { status, pathname, document } = await fetchPage(path);
    expect([pathname, status]).toEqual([path, 404]);
    expect(textsOf(document, 'main p')).toContain(NOT_FOUND.text);
    expect(attributeOf(document, 'meta[name=robots]', 'content'), path).toBe('noindex');
  }
});

test('a page of an unknown, hidden, deleted or foreign design or picture redirects to /404, and is not cached', {
  tag: '@all',
}, async () => {
  const artist = await newSiteArtist();
  const { username, token } = artist;
  const [shown, hidden, deleted] = await addDesigns(artist, ['Swallow', 'Anchor', 'Rose']);
  await expectOk(callSite(`PATCH /designs/${hidden?.id}`, { token, json: { status: 'hidden' } }));
  await expectOk(callSite(`DELETE /designs/${deleted?.id}`, { token }));
  const { portfolio } = await loadDemoArtist('ana');
  for (const path of [
    `/${username}/designs/${hidden?.id}`,
    `/${username}/designs/${deleted?.id}`,
    `/ana/designs/${shown?.id}`,
    `/ana/designs/${randomUUID()}`,
    '/ana/designs/not-an-id',
    `/${username}/about/${portfolio[0]?.id}`,
    `/ana/about/${randomUUID()}`,
    `/ana/about/${shown?.image.id}`,
    '/ana/about/not-an-id',
  ]) {
    const { pathname, shown: page } = await fetchNotFound(path);
    expect([path, pathname, page]).toEqual([path, '/404', NOT_FOUND]);
    const { headers } = await fetchSite(path, { redirect: 'manual' });
    expect([path, headers.get('cache-control')]).toEqual([path, 'no-store']);
  }
});

test('a confirmation page is not found under another artist, not cached, not indexed, and sends no referrer', {
  tag: '@all',
}, async () => {
  const artist = await newSiteArtist();
  const id = await bookSlot(artist);
  for (const path of [
    `/ana/confirmation/${id}/`,
    `/${artist.username}/confirmation/${randomUUID()}/`,
    `/${artist.username}/confirmation/not-an-id/`,
  ]) {
    const { shown, document } = await fetchNotFound(path);
    expect([path, shown]).toEqual([path, NOT_FOUND]);
    expect(textsOf(document, 'main').join(), path).not.toContain('Confirm');
  }
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

test('the link of a mail redirects to the appointment after the artist’s username has changed', {
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
  const found = await fetchPage(`/confirmation/${id}/`);
  expect(found.pathname).toMatch(new RegExp(`^/${username}/confirmation/${id}/?$`));
  expect(textsOf(found.document, 'h1, h2')).toContain('Confirm your appointment.');
  const { pathname } = await fetchPage(`/confirmation/${id}?artist`);
  expect(pathname).toMatch(new RegExp(`^/${username}/?$`));
  const contact = await fetchPage(`/confirmation/${id}?contact`);
  expect(contact.pathname).toMatch(new RegExp(`^/${username}/contact/?$`));

  for (const unknown of [randomUUID(), 'not-an-id']) {
    const { shown, headers } = await fetchNotFound(`/confirmation/${unknown}`);
    expect([unknown, shown]).toEqual([unknown, NOT_FOUND]);
    expect(headers.get('cache-control')).toBe('no-store');
  }
});

test('Book Now links to the services, or to the request form of an artist who sets the times', {
  tag: '@all',
}, async () => {
  for (const [username, target] of [
    ['ana', 'services'],
    ['bo', 'scheduling'],
  ] as const) {
    const { document } = await fetchPage(`/${username}/about`);
    const { status, pathname } = await fetchPage(hrefOf(document, 'Book Now'));
    expect([status, pathname]).toEqual([200, `/${username}/${target}`]);
  }
  const { document } = await fetchPage('/cleo/scheduling');
  expect(textsOf(document, 'main').join()).toContain(
    'Something went wrong. This artist has not completed their sign up process yet.',
  );
  expect(document.querySelector('button, astro-island')).toBeNull();
});
