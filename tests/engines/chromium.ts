import { setTimeout as sleep } from 'node:timers/promises';
import { chromium, type Page } from '@playwright/test';
import { onTestFinished } from 'vitest';
import { ensureChromium } from '../../scripts/chromium.ts';
import { BROWSER_ENV, type Driver, type InputAction, type Size } from './driver.ts';

export async function openChromium(viewport: Size): Promise<Driver> {
  const browser = await chromium.launch({
    executablePath: ensureChromium(),
    env: BROWSER_ENV,
    args: ['--no-sandbox', '--disable-gpu'],
    // Playwright turns the page cache off.
    ignoreDefaultArgs: ['--disable-back-forward-cache'],
  });
  onTestFinished(() => browser.close());
  const page = await browser.newPage({ viewport, reducedMotion: 'reduce' });
  return {
    open: async (url) => void (await page.goto(url)),
    // A page of the page cache has loaded already.
    back: async () => void (await page.goBack({ waitUntil: 'commit' })),
    evaluate: (expression) => page.evaluate(expression),
    async act(_, actions) {
      for (const action of actions) await act(page, action);
    },
    setFiles: (selector, paths) => page.setInputFiles(selector, [...paths]),
  };
}

async function act({ mouse, keyboard }: Page, action: InputAction): Promise<void> {
  if (action.type === 'pause') return sleep(action.duration);
  if (action.type === 'pointerMove') return mouse.move(action.x, action.y);
  if ('button' in action) return action.type === 'pointerDown' ? mouse.down() : mouse.up();
  // Playwright presses the keys of a US layout, and inserts all other characters.
  if (action.type === 'keyDown') return keyboard.type(action.value);
}
