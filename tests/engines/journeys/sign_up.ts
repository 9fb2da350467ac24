import { expect } from 'vitest';
import { PASSWORD, signupSteps } from '#support/new_artist.ts';
import type { Tab } from '../tab.ts';
import { button, heading, label, link, role, text, within } from '../targets.ts';

export async function signUp(tab: Tab): Promise<void> {
  const username = `new-${crypto.randomUUID().slice(0, 13)}`;
  const [accountStep, studioStep] = signupSteps(username);
  const type = async (values: Readonly<Record<string, string>>) => {
    for (const [name, value] of Object.entries(values)) await tab.type(label(name), value);
  };
  await tab.open('/');
  await tab.press(link('Get Started'));
  await type(accountStep);
  await tab.press(button('Next'));
  await type(studioStep);
  await tab.press(button('Sign Up'));
  await tab.waitForPath(/^\/login/);
  await expect.poll(() => tab.value(label('Email'))).toBe(`${username}@example.com`);
  await tab.type(label('Password'), PASSWORD);
  await tab.press(button('Log In'));
  await tab.see(heading('Get ready for your first booking'));
  await tab.press(button(/^Choose this.*Clients book open times/));
  await tab.see(button('Change how clients book'));

  await tab.press(link('Set your hours'));
  await tab.press(button('Open on Tuesday'));
  await tab.press(button('Copy to… other days, from Tuesday'));
  // The first press in the dialog counts.
  await tab.press(role('checkbox', 'Friday'));
  await tab.press(role('checkbox', 'Sunday'));
  await tab.press(within(role('dialog'), button('Copy')));
  await tab.press(button('Save'));
  await tab.see(text('Hours saved.'));
  await tab.open('/studio/hours');
  for (const day of ['Tuesday', 'Friday', 'Sunday'])
    expect(await tab.value(label(`${day}, from`))).toBe('10:00');
  expect(await tab.isVisible(label('Saturday, from'))).toBe(false);
}
