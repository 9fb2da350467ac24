import { expect } from 'vitest';
import { listAppointments, newSiteArtist } from '#support/browser_api.ts';
import type { Tab } from '../tab.ts';
import { button, label, link, text } from '../targets.ts';
import { confirmBooking, saveDetails } from './book_service.ts';

export async function pickAnotherTime(tab: Tab): Promise<void> {
  const { username, service, token } = await newSiteArtist();
  await tab.open(`/${username}/scheduling?service=${service.id}`);
  await tab.evaluate(() => Reflect.set(window, 'isFirstForm', true));
  await tab.press(button(/^Soonest: /));
  await tab.waitUntilLoaded();
  await saveDetails(tab);
  await backToFirstForm(tab);
  await tab.see(text(/^You hold /));
  await tab.waitUntilLoaded();
  await tab.press(link('Confirm it as you saved it'));

  await tab.press(button('Pick another time'));
  await tab.see(button(/^Soonest: /));
  expect(await tab.value(label('First name'))).toBe('Zoë');
  await backToFirstForm(tab);
  await tab.waitUntilGone(text(/^You hold /));
  // Not a time below the calendar: before a day is picked, only a month with few open days lists times.
  await tab.press(button(/^Soonest: /));
  await tab.press(button('Save'));
  await confirmBooking(tab);
  const statuses = (await listAppointments(token)).map(({ status }) => status);
  expect(statuses.sort()).toEqual(['cancelled', 'confirmed']);
}

/** Goes back to the form as the page cache has kept it, with all that was typed. */
async function backToFirstForm(tab: Tab): Promise<void> {
  await tab.back();
  await tab.waitForPath(/scheduling/);
  const isFirst = () => tab.evaluate(() => 'isFirstForm' in window);
  await expect.poll(isFirst, { message: 'the engine kept the form in its page cache' }).toBe(true);
  expect(await tab.value(label('First name'))).toBe('Zoë');
}
