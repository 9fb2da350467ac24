import { chmod, mkdtemp, readdir, readFile, readlink, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { type Browser, chromium, type Page } from '@playwright/test';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ListPage } from '#contract/common.ts';
import type { Service } from '#contract/service.ts';
import { openSandbox, type RunningServer } from '#support/sandbox.ts';
import { ensureChromium } from '../../scripts/chromium.ts';
import { call } from './bookings.ts';
import { build, copyProgram } from './program_copy.ts';

const BUILDS_MS = 240_000;
const PHONE = { viewport: { width: 390, height: 844 } };

let program: string;
let browser: Browser;
beforeAll(async () => {
  program = await mkdtemp(join(tmpdir(), 'linework-rebuild-'));
  await chmod(program, 0o755);
  await copyProgram(program, { built: true });
  await build(program);
  browser = await chromium.launch({
    executablePath: ensureChromium(),
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  });
}, BUILDS_MS);
afterAll(async () => {
  await browser.close();
  await rm(program, { recursive: true, force: true });
});

/** A page that a CDN may still serve from its cache. */
interface CachedPage {
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: string;
}

async function cacheBookingPage(server: RunningServer): Promise<CachedPage> {
  const services = await call<ListPage<Service>>(server, 'GET /services/ana/available');
  const path = `/ana/scheduling?service=${services.body.data[0]?.id}`;
  const response = await fetch(server.url + path);
  const headers = { ...Object.fromEntries(response.headers) };
  delete headers['content-encoding'];
  delete headers['content-length'];
  return { path, headers, body: await response.text() };
}

/** Changes a script and a style of the booking page, so that their file names change. */
async function changeAndBuild(name: string): Promise<void> {
  const store = join(program, 'src/stores/booking.ts');
  await writeFile(
    store,
    `${await readFile(store, 'utf8')}\nObject.assign(globalThis, { ${name}: 1 });\n`,
  );
  const style = join(program, 'src/styles/artist.css');
  await writeFile(style, `${await readFile(style, 'utf8')}\n.${name} { color: red; }\n`);
  expect(await build(program)).toContain('Building');
}

/** Waits until every island on the page is hydrated. */
async function waitForHydration(page: Page): Promise<void> {
  await page.locator('astro-island').first().waitFor({ state: 'attached' });
  await page.locator('astro-island[ssr]').first().waitFor({ state: 'detached' });
}

/** Books on a cached page, like a client whose browser got it from a CDN. */
async function bookOn(server: RunningServer, { path, headers, body }: CachedPage): Promise<void> {
  const context = await browser.newContext({ ...PHONE, timezoneId: 'America/New_York' });
  const page = await context.newPage();
  const failed: string[] = [];
  page.on('response', (response) => {
    if (response.status() >= 400) failed.push(`${response.status()} ${response.url()}`);
  });
  await page.route(`${server.url}${path}`, (route) => route.fulfill({ headers, body }));
  await page.goto(server.url + path);
  await waitForHydration(page);
  const days = page.getByRole('grid').locator('button:not([disabled])');
  if ((await days.count()) === 0)
    await page.getByRole('button', { name: 'Next', exact: true }).click();
  await days.first().click();
  await page
    .getByRole('button', { name: /^\d+:\d\d [AP]M/ })
    .first()
    .click();
  await page.getByLabel('Email (required)', { exact: true }).fill('rosa@example.com');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.waitForURL('**/ana/confirmation/*/');
  await waitForHydration(page);
  await page.getByRole('button', { name: 'Confirm Appointment' }).click();
  await page.getByRole('heading', { name: "You're booked!" }).waitFor();
  expect(failed).toEqual([]);
  await context.close();
}

test(
  'clients can still book on a cached page after two rebuilds, and after a restart',
  async () => {
    await using sandbox = await openSandbox();
    const server = await sandbox.serve({ programFolder: program });
    const cached = await cacheBookingPage(server);
    const first = await readlink(join(program, 'dist/current'));

    await changeAndBuild('firstChange');
    const second = await readlink(join(program, 'dist/current'));
    await changeAndBuild('secondChange');
    const third = await readlink(join(program, 'dist/current'));
    expect(new Set([first, second, third]).size).toBe(3);
    // All builds still exist: a server that has just started may read any of them.
    expect(await readdir(join(program, 'dist/builds'))).toEqual(
      expect.arrayContaining([first, second, third].map((link) => basename(link))),
    );

    // The running server is not affected.
    await bookOn(server, cached);
    expect((await fetch(`${server.url}/ana/about`)).status).toBe(200);
    expect((await server.stop()).code).toBe(0);

    // The build of the cached page is deleted from the disk.
    await rm(join(program, 'dist', first), { recursive: true });
    const restarted = await sandbox.serve({ programFolder: program });
    const cachedAfterRestart = await cacheBookingPage(restarted);
    const scripts = ({ body }: CachedPage) => body.match(/\/_astro\/BookingIsland[^"]+/)?.[0];
    expect(scripts(cachedAfterRestart)).not.toBe(scripts(cached));
    await bookOn(restarted, cached);
    await bookOn(restarted, cachedAfterRestart);
  },
  BUILDS_MS,
);
