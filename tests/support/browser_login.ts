import type { Page } from '@playwright/test';
import type { TestArtist } from './new_artist.ts';

type InitScript = Awaited<ReturnType<Page['addInitScript']>>;

const logins = new WeakMap<Page, InitScript>();

/** The artist is logged in on this page from its first visit on, until something logs them out. */
export async function logInAs(page: Page, { token }: Pick<TestArtist, 'token'>): Promise<void> {
  const login = await page.addInitScript((held) => {
    if (sessionStorage.getItem('test:logged-in') !== null) return;
    sessionStorage.setItem('test:logged-in', 'once');
    localStorage.setItem('access_token', held);
  }, token);
  logins.set(page, login);
}

/** The artist is logged in and opens an address. */
export async function openAs(page: Page, artist: TestArtist, address: string): Promise<void> {
  await logInAs(page, artist);
  await page.goto(address);
}

/** The page as it is for somebody who has never been here: nothing kept, nothing rerouted. */
export async function resetPage(page: Page): Promise<void> {
  // Where the pointer rests, links are fetched ahead and change their colors.
  await page.mouse.move(-1, -1);
  // At a file of the site, without a script, its storage can be emptied for good. Routes stay until
  // the page is left, which may still call what they stand for.
  await page.goto('/favicon.svg');
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await logins.get(page)?.dispose();
  logins.delete(page);
  await page.evaluate(() => {
    localStorage.clear();
    sessionStorage.clear();
  });
}
