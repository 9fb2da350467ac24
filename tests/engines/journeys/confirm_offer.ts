import { newSiteArtist } from '#support/browser_api.ts';
import { findLinkPath, waitForMail } from '#support/browser_inbox.ts';
import { openStudio } from '../studio.ts';
import type { Tab } from '../tab.ts';
import { button, heading, label, link, text } from '../targets.ts';

export async function confirmOffer(tab: Tab, openTab: () => Promise<Tab>): Promise<void> {
  const artist = await newSiteArtist({ scheduling_type: 'managed' });
  const email = `rosa-${crypto.randomUUID()}@example.com`;
  await tab.open(`/${artist.username}/`);
  await tab.press(link('Book Now'));
  await tab.choose(label('Location on the body'), 'Arms');
  await tab.type(label('Notes'), 'A swallow, mid-flight.');
  await tab.type(label('First name'), 'Rosa');
  await tab.type(label('Email (required)'), email);
  await tab.press(button('Save'));
  await tab.see(heading('Thanks for your request, Rosa'));

  const studio = await openTab();
  await openStudio(studio, artist, '/studio');
  await studio.press(link(/Rosa/));
  await studio.see(text('A swallow, mid-flight.'));
  await studio.press(button('Offer a time'));
  await studio.press(button(/^2 h/));
  await studio.press(button('Make the offer'));
  await studio.see(text('Offered, not confirmed yet'));

  await tab.open(findLinkPath(await waitForMail(email, /^A time for you: /), /^\/confirmation\//));
  await tab.see(text(/^\d+:\d\d [AP]M - \d+:\d\d [AP]M$/));
  await tab.press(button('Confirm Appointment'));
  await tab.see(heading("You're booked!"));
  await openStudio(studio, artist, await studio.path());
  await studio.see(text('Confirmed'));
}
