import type { Dialog, Page } from '@playwright/test';
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

/** The page as it is for somebody who has never been here: nothing kept, nothing rerouted. */
export async function startAnew(page: Page): Promise<void> {
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  // A page that asks before it is left would stay otherwise.
  const leave = (dialog: Dialog) => dialog.accept();
  page.on('dialog', leave);
  await logins.get(page)?.dispose();
  logins.delete(page);
  // At a file of the site, without a script, its storage can be emptied for good.
  await page.goto('/favicon.svg');
  await page.evaluate(() => {
    localStorage.clear();
    sessionStorage.clear();
  });
  page.off('dialog', leave);
}
