import type { Page } from '@playwright/test';
import type { TestArtist } from './new_artist.ts';

type InitScript = Awaited<ReturnType<Page['addInitScript']>>;

const logins = new WeakMap<Page, InitScript>();

/** Logs the artist in before the page's next visit. A later logout is not undone. */
export async function logInAs(page: Page, { token }: Pick<TestArtist, 'token'>): Promise<void> {
  await logins.get(page)?.dispose();
  const login = await page.addInitScript((accessToken) => {
    if (sessionStorage.getItem('test:logged-in') !== null) return;
    sessionStorage.setItem('test:logged-in', 'once');
    localStorage.setItem('access_token', accessToken);
  }, token);
  logins.set(page, login);
}

/** Logs the artist in and opens a path. */
export async function openAs(page: Page, artist: TestArtist, path: string): Promise<void> {
  await logInAs(page, artist);
  await page.goto(path);
}

/** Empties the page's storage and removes its routes and login, as before a first visit. */
export async function resetPage(page: Page): Promise<void> {
  // A link below the pointer is prefetched and changes its color.
  await page.mouse.move(-1, -1);
  // A plain file runs no script that could write to storage again. Remove routes only after leaving
  // the page, which may still request them.
  await page.goto('/favicon.svg');
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await logins.get(page)?.dispose();
  logins.delete(page);
  await page.evaluate(() => {
    localStorage.clear();
    sessionStorage.clear();
  });
}
