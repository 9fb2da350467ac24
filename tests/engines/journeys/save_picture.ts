import { join } from 'node:path';
import sharp from 'sharp';
import { expect } from 'vitest';
import type { Artist } from '#contract/artist.ts';
import { callSite, newSiteArtist } from '#support/browser_api.ts';
import { siteUrl } from '#support/browser_server.ts';
import { expectOk } from '#support/call_api.ts';
import { openFolder } from '#support/folder.ts';
import { createFlatPicture } from '#support/pictures.ts';
import { openStudio } from '../studio.ts';
import type { Tab } from '../tab.ts';
import { button, css, heading, role, text } from '../targets.ts';

const PICTURE = role('img', 'You, as clients see you');

export async function savePicture(tab: Tab): Promise<void> {
  const artist = await newSiteArtist();
  await openStudio(tab, artist, '/studio/profile');
  await tab.setFiles('input[type=file]', [await createBlueFileWithRedCorner()]);
  await tab.see(heading('Crop your picture'));
  // Only red remains above and to the left of the middle.
  await tab.drag(button(/^Bottom right corner/), css('dialog img'), { x: -12, y: -12 });
  await tab.press(button('Use this picture'));
  await tab.see(text('Your new picture is on your page.'));
  await tab.see(PICTURE);

  await tab.open('/studio/profile');
  await tab.see(PICTURE);
  await tab.open(`/${artist.username}/`);
  const { avatar_url } = await expectOk(callSite<Artist>(`GET /users/artist/${artist.username}`));
  await tab.see(css(`img[src="${avatar_url}"]`));
  const response = await fetch(new URL(avatar_url ?? '', siteUrl()));
  const { channels } = await sharp(await response.arrayBuffer()).stats();
  expect(channels.slice(0, 3).map(({ mean }) => Math.round(mean / 255))).toEqual([1, 0, 0]);
}

async function createBlueFileWithRedCorner(): Promise<string> {
  const red = await createFlatPicture(400, 400, '#ff0000').png().toBuffer();
  const path = join(await openFolder(), 'me.png');
  const corner = { input: red, left: 0, top: 0 };
  await createFlatPicture(800, 800, '#0000ff').composite([corner]).toFile(path);
  return path;
}
