import { expect } from 'vitest';
import { callSite, newSiteArtist } from '#support/browser_api.ts';
import { expectOk } from '#support/call_api.ts';
import type { Tab } from '../tab.ts';
import { button, label, link, text } from '../targets.ts';

const MESSAGE = 'Do you do cover-ups? Mine is <b>old</b>.';

export async function sendMessage(tab: Tab): Promise<void> {
  const { username, token } = await newSiteArtist();
  await tab.open(`/${username}/contact`);
  await tab.type(label('Name'), 'Zoë');
  await tab.type(label('Email'), 'zoe@gmial.com');
  await tab.type(label('Message'), MESSAGE);
  await tab.press(button('Did you mean zoe@gmail.com?'));
  // Left and opened again, the form has what was typed.
  await tab.open(`/${username}/contact`);
  expect(await tab.value(label('Message'))).toBe(MESSAGE);
  await tab.press(button('Send Message'));
  await tab.see(text(/Thank you, your message was sent\./));
  await tab.press(link('Write another message'));
  expect(await tab.value(label('Message'))).toBe('');
  const { data } = await expectOk(callSite<{ data: unknown }>('GET /users/me/messages', { token }));
  expect(data).toMatchObject([{ name: 'Zoë', email: 'zoe@gmail.com', message: MESSAGE }]);
}
