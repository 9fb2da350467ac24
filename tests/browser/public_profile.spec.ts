import type { ListPage } from '#contract/common.ts';
import type { UploadedImage } from '#contract/image.ts';
import { expect, test } from '#support/browser.ts';
import { bookSiteSlot, callSite, confirmAppointment, findOpenDay } from '#support/browser_api.ts';
import { addDesigns, addPictures } from '#support/browser_artwork.ts';
import { siteUrl } from '#support/browser_server.ts';
import { expectOk } from '#support/call_api.ts';
import { fetchPage, fetchSite, fetchText } from '#support/html_page.ts';
import type { TestArtist } from '#support/new_artist.ts';

const DESK = 'desk@example.com';

async function rename({ token }: TestArtist, username: string): Promise<void> {
  await expectOk(callSite('PATCH /users/me', { token, json: { username } }));
}

/** Where a path leads, and how. */
async function visit(path: string, init: RequestInit = {}) {
  const { status, headers } = await fetchSite(path, { redirect: 'manual', ...init });
  return [status, headers.get('Location'), headers.get('Cache-Status')?.slice(0, 13)] as const;
}

/** The email addresses of a page or a file, each once. Ids such as `1@linework` have no dot. */
function emailsIn(text: string): string[] {
  return [...new Set(text.match(/[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g))];
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
    expect(await visit(`/${old}${path}`)).toMatchObject([301, `/${old}-2${path}`]);
    expect(await visit(`/${old}${path}`)).toEqual([301, `/${old}-2${path}`, 'Linework; hit']);
  }
  const page = `/confirmation/${id}?mail_token=a%20b`;
  expect(await visit(`/${old}${page}`)).toMatchObject([301, `/${old}-2${page}`]);
  const body = new URLSearchParams({ action: 'release' });
  const headers = { Origin: siteUrl() };
  const posted = await visit(`/${old}${page}`, { method: 'POST', body, headers });
  expect(posted).toMatchObject([308, `/${old}-2${page}`]);
  await rename(artist, `${old}-3`);
  for (const former of [old, `${old}-2`, old.toUpperCase()])
    expect(await visit(`/${former}/about`)).toMatchObject([301, `/${old}-3/about`]);
  await rename(artist, old);
  expect((await visit(`/${old}/about`))[0]).toBe(200);
  expect(await visit(`/${old}-2/about`)).toMatchObject([301, `/${old}/about`]);
});

test('pages and the calendar file hold the chosen email only, or none', {
  tag: '@all',
}, async ({ artist }) => {
  const { token, username, service } = artist;
  const [design] = await addDesigns(artist, ['Swallow']);
  await addPictures(artist, 1);
  const { data } = await expectOk(
    callSite<ListPage<UploadedImage>>(`GET /images/artist-portfolio?username=${username}`),
  );
  const { slot, other } = await findOpenDay(artist);
  const held = await expectOk(bookSiteSlot(artist, slot));
  const booked = await expectOk(bookSiteSlot(artist, other));
  await confirmAppointment(booked.id);
  for (const [public_email, expected] of [
    [{ kind: 'other', email: DESK }, [DESK]],
    [{ kind: 'none' }, []],
  ] as const) {
    await expectOk(callSite('PATCH /users/me', { token, json: { public_email } }));
    // The page of a picture names no way to reach the artist.
    const picture = `about/${data[0]?.id}`;
    for (const path of [
      ...['', 'about', picture, `designs/${design?.id}`, 'services'],
      ...['contact', 'contact?sent=1', 'contact?links=sent'],
      ...['scheduling', `scheduling?service=${service.id}`, `scheduling?design=${design?.id}`],
      ...[`confirmation/${held.id}`, `confirmation/${booked.id}`],
    ]) {
      const { status, html } = await fetchPage(`/${username}/${path}`);
      const emails = path === picture ? [] : expected;
      expect([path, status, emailsIn(html)]).toEqual([path, 200, emails]);
    }
    const file = `/${username}/confirmation/${booked.id}/appointment.ics`;
    // A long line continues on the next one, after a space.
    const calendar = (await fetchText(file, 'text/calendar')).replaceAll(/\r\n[ \t]/g, '');
    expect(emailsIn(calendar)).toEqual(expected);
    expect(calendar).toContain(`:MAILTO:${expected[0] ?? 'no-reply@localhost'}`);
  }
});
