import { setTimeout as sleep } from 'node:timers/promises';
import { chromium, type Keyboard } from '@playwright/test';
import { ensureChromium } from '../../scripts/chromium.ts';
import { BROWSER_ENV, type Driver, type KeyAction, type Size } from './driver.ts';

/** WebDriver's code points of keys, and Playwright's names. */
const KEYS: Readonly<Record<string, string>> = {
  '\uE003': 'Backspace',
  '\uE004': 'Tab',
  '\uE007': 'Enter',
  '\uE008': 'Shift',
  '\uE00C': 'Escape',
  '\uE012': 'ArrowLeft',
  '\uE013': 'ArrowUp',
  '\uE014': 'ArrowRight',
  '\uE015': 'ArrowDown',
};

export async function openChromium(viewport: Size): Promise<Driver> {
  const browser = await chromium.launch({
    executablePath: ensureChromium(),
    env: BROWSER_ENV,
    args: ['--no-sandbox', '--disable-gpu'],
    // Playwright turns the page cache off.
    ignoreDefaultArgs: ['--disable-back-forward-cache'],
  });
  const page = await browser.newPage({ viewport });
  return {
    async open(url) {
      await page.goto(url);
    },
    async back() {
      await page.goBack();
    },
    evaluate: (expression) => page.evaluate(expression),
    async act(source) {
      for (const action of source.actions) {
        if ('value' in action) await actKey(page.keyboard, action);
        else if (action.type === 'pause') await sleep(action.duration);
        else if (action.type === 'pointerMove') await page.mouse.move(action.x, action.y);
        else if (action.type === 'pointerDown') await page.mouse.down();
        else await page.mouse.up();
      }
    },
    setFiles: (selector, paths) => page.setInputFiles(selector, [...paths]),
    screenshot: () => page.screenshot(),
    close: () => browser.close(),
  };
}

async function actKey(keyboard: Keyboard, { type, value }: KeyAction): Promise<void> {
  const key = KEYS[value] ?? value;
  // Playwright's keyboard has the keys of a US layout only.
  const isOnKeyboard = key.length > 1 || /^[ -~]$/.test(key);
  if (type === 'keyUp') await (isOnKeyboard && keyboard.up(key));
  else await (isOnKeyboard ? keyboard.down(key) : keyboard.insertText(key));
}
