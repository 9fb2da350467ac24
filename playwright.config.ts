import { defineConfig } from '@playwright/test';
import { findChromium } from './scripts/chromium.ts';

const chromium = findChromium();
const json = process.env['PLAYWRIGHT_JSON_OUTPUT_NAME'];
/** Whether tests with the tag `@all` run too (scripts/test_browser.ts). */
const isAll = process.env['LINEWORK_TEST_ALL'] === '1';

const PHONE = { width: 390, height: 844 };

export default defineConfig({
  // Vitest runs `*.test.ts`, in the same folders.
  testMatch: '**/*.spec.ts',
  // Starts the site as a user does and tells the tests where it is.
  globalSetup: './tests/support/browser_server.ts',
  fullyParallel: true,
  workers: 3,
  retries: 0,
  forbidOnly: true,
  ...(isAll ? {} : { grepInvert: /@all/ }),
  timeout: 90_000,
  expect: { timeout: 15_000 },
  reporter: [
    ['list'],
    ['./tests/support/browser_test_limit.ts'],
    ...(json === undefined ? [] : [['json', { outputFile: json }] as const]),
  ],
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
    { name: 'phone', testDir: 'tests/browser', use: { viewport: PHONE } },
    // Only in `npm run test:all` (scripts/test_browser.ts).
    { name: 'hosts', testDir: 'tests/hosts', use: { viewport: PHONE } },
  ],
});
