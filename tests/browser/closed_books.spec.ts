import { expect, test } from '#support/browser.ts';
import { callSite, newSiteArtist } from '#support/browser_api.ts';
import { addDesigns } from '#support/browser_artwork.ts';
import { expectOk } from '#support/call_api.ts';
import { fetchPage, textsOf } from '#support/html_page.ts';

for (const scheduling_type of ['service', 'managed'] as const)
  test(`closed books stand in place of the form (${scheduling_type})`, {
    tag: '@all',
  }, async () => {
    const artist = await newSiteArtist({ scheduling_type });
    const [design] = await addDesigns(artist, ['Swallow']);
    const home = `/${artist.username}/`;
    const read = async (path: string) => {
      const { document, html } = await fetchPage(`${home}${path}`);
      const says = textsOf(document, 'main').join().includes('Books are closed.');
      return { says, hasForm: html.includes('<astro-island'), offers: html.includes('?design=') };
    };
    expect(await read('scheduling')).toMatchObject({ says: false, hasForm: true });
    expect(await read('')).toMatchObject({ says: false, offers: true });
    const json = { books: { state: 'closed' } };
    await expectOk(callSite('PATCH /users/me', { token: artist.token, json }));
    for (const path of ['scheduling', `scheduling?design=${design?.id}`])
      expect(await read(path)).toMatchObject({ says: true, hasForm: false });
    expect(await read('')).toMatchObject({ says: true, offers: false });
    for (const path of ['services', 'about'])
      expect(await read(path)).toMatchObject({ says: true, hasForm: false });
  });

test('the pages to which Book Now leads offer to write to an artist whose sign-up is not complete', {
  tag: '@all',
}, async () => {
  for (const path of ['/cleo/services', '/cleo/scheduling']) {
    const { document } = await fetchPage(path);
    expect([path, textsOf(document, 'main a[href="/cleo/contact"]')]).toEqual([
      path,
      ['Write to cleo'],
    ]);
  }
});
