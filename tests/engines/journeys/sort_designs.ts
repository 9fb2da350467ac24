import { join } from 'node:path';
import { expect } from 'vitest';
import type { ListPage } from '#contract/common.ts';
import type { Design } from '#contract/design.ts';
import { callSite, newSiteArtist } from '#support/browser_api.ts';
import { addDesigns } from '#support/browser_artwork.ts';
import { expectOk } from '#support/call_api.ts';
import { openFolder } from '#support/folder.ts';
import { createNoisyPicture } from '#support/pictures.ts';
import { openStudio } from '../studio.ts';
import type { Tab } from '../tab.ts';
import { button, css, heading, text } from '../targets.ts';

/** The design Rose at a place in the list, from 1. */
const roseAt = (place: number) => css(`[aria-label="designs"] li:nth-child(${place}) h2`, 'Rose');

export async function sortDesigns(tab: Tab): Promise<void> {
  const artist = await newSiteArtist({ scheduling_type: 'managed' });
  const listForClients = async () => {
    const path = `GET /designs/${artist.username}/available`;
    return (await expectOk(callSite<ListPage<Design>>(path))).data.map(({ name }) => name);
  };
  await addDesigns(artist, ['Swallow', 'Dagger']);
  const photo = join(await openFolder(), 'rose.jpg');
  await createNoisyPicture(900, 1200).jpeg().toFile(photo);

  await openStudio(tab, artist, '/studio/designs');
  await tab.see(heading('Dagger'));
  await tab.setFiles('input[type=file]', [photo]);
  await tab.see(text('Design added.'));
  await tab.see(roseAt(3));
  await tab.drag(button('Move Rose'), button('Move Swallow'));
  await tab.see(roseAt(1));
  // The page shows the new order before it is saved.
  await expect.poll(listForClients).toEqual(['Rose', 'Swallow', 'Dagger']);
  await tab.open('/studio/designs');
  await tab.see(roseAt(1));
}
