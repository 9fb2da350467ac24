import { expect, test } from 'vitest';
import { newSiteArtist } from '#support/browser_api.ts';
import { Tab } from './tab.ts';
import { button, css, heading, label, link } from './targets.ts';
import { watchSite } from './watched_site.ts';
import { openOldWebKit } from './webdriver.ts';

test('a client whose browser is too old to book a service is told so, and writes to the artist', async () => {
  const { username } = await newSiteArtist();
  const site = await watchSite();
  const tab = new Tab(await openOldWebKit(), site.url);
  await tab.open(`/${username}/`);
  await tab.press(link('Book Now'));
  await tab.press(link('Book Now!'));
  await tab.see(heading('This browser is too old to book here.'));
  expect(await tab.isVisible(css('astro-island'))).toBe(false);
  await tab.press(link('contact page'));
  await tab.type(label('Name'), 'Rosa');
  await tab.type(label('Email'), 'rosa@example.com');
  await tab.type(label('Message'), 'A swallow, in May?');
  await tab.press(button('Send Message'));
  await tab.waitForPath(/\/contact\?sent=1$/);
  expect(site.problems).toEqual([]);
});
