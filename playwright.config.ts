import { defineConfig } from '@playwright/test';
import { findChromium } from './scripts/chromium.ts';

const chromium = findChromium();
const json = process.env['PLAYWRIGHT_JSON_OUTPUT_NAME'];

export default defineConfig({
  testDir: 'tests/browser',
  // Starts the site as a user does and tells the tests where it is.
  globalSetup: './tests/support/browser_server.ts',
  fullyParallel: true,
  workers: 3,
  // Three browsers and all servers share a machine, and time runs out somewhere once in a while;
  // what passes only then is named at the end (scripts/test.ts).
  retries: 1,
  forbidOnly: true,
  timeout: 90_000,
  expect: { timeout: 15_000 },
  reporter: [['list'], ...(json === undefined ? [] : [['json', { outputFile: json }] as const])],
  use: {
    // Where the demo artist `ana` is, so that a page shows one clock unless a test moves.
    timezoneId: 'America/New_York',
    locale: 'en-US',
    contextOptions: { reducedMotion: 'reduce' },
    actionTimeout: 7_000,
    navigationTimeout: 15_000,
    trace: 'off',
    video: 'off',
    screenshot: 'off',
    launchOptions: {
      ...(chromium === undefined ? {} : { executablePath: chromium }),
      args: [
        // Chromium does not sandbox for root.
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
  projects: [
    { name: 'phone', use: { viewport: { width: 390, height: 844 } } },
    // What a wide page does differently.
    { name: 'desktop', grep: /@desktop/, use: { viewport: { width: 1280, height: 900 } } },
  ],
});
