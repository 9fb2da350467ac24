// Over HTTP alone: no test here needs a browser.
import { randomUUID } from 'node:crypto';
import { expect, test } from '@playwright/test';
import { bookSiteSlot, callSite, listOpenDays, newSiteArtist } from '#support/browser_api.ts';
import { expectOk } from '#support/call_api.ts';
import { attributeOf, fetchPage, fetchSite, hrefOf, textsOf } from '#support/html_page.ts';
import type { TestArtist } from '#support/new_artist.ts';

async function bookedId(artist: TestArtist): Promise<string> {
  const [day] = await listOpenDays(artist);
  const slot = day?.windows[0];
  if (!slot) throw new Error('No open days');
  return (await expectOk(bookSiteSlot(artist, slot))).id;
}

const NOT_FOUND = { status: 404, headings: ['404'], says: 'Page not found.' };

/** What an address shows, as far as there is nothing at it. */
async function shownAt(path: string) {
  const { status, document, ...page } = await fetchPage(path);
  const says = textsOf(document, 'main p').find((text) => text === NOT_FOUND.says);
  return { ...page, document, shown: { status, headings: textsOf(document, 'h1'), says } };
}

test('an artist who is not there leads to /404 from each of their pages', async () => {
  for (const rest of ['/', '/services', '/about', '/contact', '/scheduling']) {
    const { pathname, shown } = await shownAt(`/nobody-by-that-name${rest}`);
    expect([rest, pathname, shown]).toEqual([rest, '/404', NOT_FOUND]);
  }
});

test('an unknown address says so, with its status, and is not indexed', async () => {
  for (const path of ['/no/such/page', '/ana/no-such-page', '/ana/services/more']) {
    const { pathname, shown, document } = await shownAt(path);
    expect([pathname, shown]).toEqual([path, NOT_FOUND]);
    expect(attributeOf(document, 'meta[name=robots]', 'content'), path).toBe('noindex');
  }
});

test('an appointment is not found under another artist, nor by a wrong id', async () => {
  const artist = await newSiteArtist();
  const id = await bookedId(artist);
  for (const path of [
    `/ana/confirmation/${id}/`,
    `/${artist.username}/confirmation/${randomUUID()}/`,
    `/${artist.username}/confirmation/not-an-id/`,
  ]) {
    const { shown, document } = await shownAt(path);
    expect([path, shown]).toEqual([path, NOT_FOUND]);
    expect(textsOf(document, 'main').join(), path).not.toContain('Confirm');
  }
  const calendar = await fetchSite(`/ana/confirmation/${id}/appointment.ics`);
  expect(calendar.status).toBe(404);
});

test('a confirmation is neither kept, indexed nor passed on', async () => {
  const artist = await newSiteArtist();
  const id = await bookedId(artist);
  const { status, headers, document } = await fetchPage(`/${artist.username}/confirmation/${id}/`);
  expect([status, Object.fromEntries(headers)]).toMatchObject([
    200,
    { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer', 'x-robots-tag': 'noindex' },
  ]);
  expect(attributeOf(document, 'meta[name=robots]', 'content')).toBe('noindex');
  expect(document.querySelector('link[rel=canonical], meta[property="og:url"]')).toBeNull();
  // Nothing on the page asks for another policy than its header does.
  expect(document.querySelector('meta[name=referrer], [referrerpolicy]')).toBeNull();
});

test('the link of a mail finds the appointment whatever its artist is called now', async () => {
  const artist = await newSiteArtist();
  const id = await bookedId(artist);
  const username = `${artist.username}-2`;
  await expectOk(callSite('PATCH /users/me', { token: artist.token, json: { username } }));
  const answer = await fetchSite(`/confirmation/${id}`, { redirect: 'manual' });
  expect([answer.status, Object.fromEntries(answer.headers)]).toMatchObject([
    302,
    {
      location: `/${username}/confirmation/${id}`,
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex',
    },
  ]);
  const found = await fetchPage(`/confirmation/${id}/`);
  expect(found.pathname).toMatch(new RegExp(`^/${username}/confirmation/${id}/?$`));
  expect(textsOf(found.document, 'h1, h2')).toContain('Confirm your appointment.');
  const { pathname } = await fetchPage(`/confirmation/${id}?artist`);
  expect(pathname).toMatch(new RegExp(`^/${username}/?$`));

  for (const unknown of [randomUUID(), 'not-an-id']) {
    const { shown, headers } = await shownAt(`/confirmation/${unknown}`);
    expect([unknown, shown]).toEqual([unknown, NOT_FOUND]);
    expect(headers.get('cache-control')).toBe('no-store');
  }
});

test('an artist who has not finished signing up says so instead of taking bookings', async () => {
  const { document } = await fetchPage('/cleo/scheduling');
  expect(textsOf(document, 'main').join()).toContain(
    'Something went wrong. This artist has not completed their sign up process yet.',
  );
  expect(document.querySelector('button, astro-island')).toBeNull();
});

test('Book Now leads to the services, or to the request form of an artist who sets the times', async () => {
  const [artist, managed] = await Promise.all([
    newSiteArtist(),
    newSiteArtist({ scheduling_type: 'managed' }),
  ]);
  for (const [username, target] of [
    [artist.username, 'services'],
    [managed.username, 'scheduling'],
  ] as const) {
    const { document } = await fetchPage(`/${username}/about`);
    const { status, pathname } = await fetchPage(hrefOf(document, 'Book Now'));
    expect([status, pathname]).toEqual([200, `/${username}/${target}`]);
  }
});

test('the landing page leads to the artists, to logging in and to signing up', async () => {
  const { document } = await fetchPage('/');
  expect(textsOf(document, 'h1')).toContain('Simple Scheduling for Tattoo Artists');
  const headings = textsOf(document, 'h2');
  for (const name of ['For Artists', 'For Clients', 'Simple & Flexible'])
    expect(headings).toContain(name);
  expect(hrefOf(document, 'Artist Login')).toBe('/login');
  expect(hrefOf(document, 'Get Started')).toBe('/signup');
  expect(textsOf(document, 'footer').join()).toContain(String(new Date().getUTCFullYear()));
  const explore = await fetchPage(hrefOf(document, 'Explore Artists'));
  expect(textsOf(explore.document, 'h1')).toEqual(['Explore Artists']);
  expect(textsOf(explore.document, 'main p')).toContain('Coming soon...');
});

test('a design on the wall leads to booking it', async () => {
  const { document } = await fetchPage('/ana/');
  const card = document.querySelector('article');
  if (!card) throw new Error('No design is on the wall');
  const href = hrefOf(card, 'Book Now!');
  expect(href).toMatch(/^\/ana\/scheduling\?design=/);
  const { document: booking } = await fetchPage(href);
  expect(textsOf(booking, 'aside[aria-label=Design] h2')).toEqual(textsOf(card, 'h3'));
});
