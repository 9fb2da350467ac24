import type { TestArtist } from '#support/new_artist.ts';
import type { Tab } from './tab.ts';

/** Logs the artist in and opens a page of the studio. */
export async function openStudio(tab: Tab, { token }: TestArtist, path: string): Promise<void> {
  // Storage belongs to an open page; this one has no scripts.
  await tab.open('/favicon.svg');
  await tab.evaluate((value) => localStorage.setItem('access_token', value), token);
  await tab.open(path);
}
