import { expect } from 'vitest';
import { callSite, listAppointments, newSiteArtist } from '#support/browser_api.ts';
import { addDesigns } from '#support/browser_artwork.ts';
import { expectOk } from '#support/call_api.ts';
import type { Tab } from '../tab.ts';
import { button, css, link, text, within } from '../targets.ts';
import { confirmBooking, saveDetails } from './book_service.ts';

export async function bookDesign(tab: Tab): Promise<void> {
  const artist = await newSiteArtist();
  const [, moth] = await addDesigns(artist, ['Swallow', 'Moth']);
  const facts = { duration: 90, price: { kind: 'from', amount: 15_000 } };
  await expectOk(callSite(`PATCH /designs/${moth?.id}`, { token: artist.token, json: facts }));
  await tab.open(`/${artist.username}/`);
  await tab.press(within(css('article', 'Moth'), link('Book Now!')));
  await tab.see(text('90 minute appt.'));
  await tab.press(button(/^Soonest: /));
  await saveDetails(tab);
  await tab.see(text('From $150'));
  await confirmBooking(tab);
  expect(await listAppointments(artist.token)).toMatchObject([
    { status: 'confirmed', design: { id: moth?.id }, price: facts.price },
  ]);
}
