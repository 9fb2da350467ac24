import { setTimeout as sleep } from 'node:timers/promises';
import { chromium, type Page } from '@playwright/test';
import { ensureChromium } from '../../scripts/chromium.ts';
import { BROWSER_ENV, type Driver, type InputAction, type Size } from './driver.ts';

/** WebDriver's code points of keys, and Playwright's names. */
const KEYS: Readonly<Record<string, string>> = {
  ...{ '\uE003': 'Backspace', '\uE004': 'Tab', '\uE007': 'Enter', '\uE008': 'Shift' },
  ...{ '\uE00C': 'Escape', '\uE012': 'ArrowLeft', '\uE013': 'ArrowUp' },
  ...{ '\uE014': 'ArrowRight', '\uE015': 'ArrowDown' },
};

export async function openChromium(viewport: Size): Promise<Driver> {
  const browser = await chromium.launch({
    executablePath: ensureChromium(),
    env: BROWSER_ENV,
    args: ['--no-sandbox', '--disable-gpu'],
    // Playwright turns the page cache off.
    ignoreDefaultArgs: ['--disable-back-forward-cache'],
  });
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
    screenshot: () => page.screenshot(),
    close: () => browser.close(),
  };
}

async function act({ mouse, keyboard }: Page, action: InputAction): Promise<void> {
  if (action.type === 'pause') return sleep(action.duration);
  if (action.type === 'pointerMove') return mouse.move(action.x, action.y);
  if ('button' in action) return action.type === 'pointerDown' ? mouse.down() : mouse.up();
  const key = KEYS[action.value] ?? action.value;
  // Playwright's keyboard has the keys of a US layout only.
  const isOnKeyboard = key.length > 1 || /^[ -~]$/.test(key);
  if (action.type === 'keyUp') return isOnKeyboard ? keyboard.up(key) : undefined;
  return isOnKeyboard ? keyboard.down(key) : keyboard.insertText(key);
}
