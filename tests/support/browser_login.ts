import type { Page } from '@playwright/test';
import type { TestArtist } from './browser_studio.ts';

/** The artist is logged in on this page from its first visit on, until something logs them out. */
export async function logInAs(page: Page, { token }: Pick<TestArtist, 'token'>): Promise<void> {
  await page.addInitScript((held) => {
    if (sessionStorage.getItem('test:logged-in') !== null) return;
    sessionStorage.setItem('test:logged-in', 'once');
    localStorage.setItem('access_token', held);
  }, token);
}
