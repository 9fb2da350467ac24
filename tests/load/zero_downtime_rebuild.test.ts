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

/** A page as a cache in front may hand it out for as long as it is allowed to. */
interface CachedPage {
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: string;
}

async function cacheBookingPage(server: RunningServer): Promise<CachedPage> {
  const services = await call<ListPage<Service>>(server, 'GET /services/ana/available');
  const path = `/ana/scheduling?service=${services.body.data[0]?.id}`;
  const answer = await fetch(server.url + path);
  const headers = { ...Object.fromEntries(answer.headers) };
  delete headers['content-encoding'];
  delete headers['content-length'];
  return { path, headers, body: await answer.text() };
}

/** Changes what the booking page's scripts and styles are made of, so that their names change. */
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

/** Until the page answers to clicks everywhere. */
async function scriptsDone(page: Page): Promise<void> {
  await page.locator('astro-island').first().waitFor({ state: 'attached' });
  await page.locator('astro-island[ssr]').first().waitFor({ state: 'detached' });
}

/** Books on a cached page, as a client does whose browser got it from a cache. */
async function bookOn(server: RunningServer, { path, headers, body }: CachedPage): Promise<void> {
  const context = await browser.newContext({ ...PHONE, timezoneId: 'America/New_York' });
  const page = await context.newPage();
  const failed: string[] = [];
  page.on('response', (answer) => {
    if (answer.status() >= 400) failed.push(`${answer.status()} ${answer.url()}`);
  });
  await page.route(`${server.url}${path}`, (route) => route.fulfill({ headers, body }));
  await page.goto(server.url + path);
  await scriptsDone(page);
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
  await scriptsDone(page);
  await page.getByRole('button', { name: 'Confirm Appointment' }).click();
  await page.getByRole('heading', { name: "You're booked!" }).waitFor();
  expect(failed).toEqual([]);
  await context.close();
}

test(
  'a cached page of the build before last still books after two rebuilds while serving, and after a restart',
  async () => {
    await using place = await openSandbox();
    const server = await place.serve({ programFolder: program });
    const cached = await cacheBookingPage(server);
    const first = await readlink(join(program, 'dist/current'));

    await changeAndBuild('firstChange');
    const second = await readlink(join(program, 'dist/current'));
    await changeAndBuild('secondChange');
    const third = await readlink(join(program, 'dist/current'));
    expect(new Set([first, second, third]).size).toBe(3);
    // Nothing that a server which started a moment ago may still read has gone.
    expect(await readdir(join(program, 'dist/builds'))).toEqual(
      expect.arrayContaining([first, second, third].map((link) => basename(link))),
    );

    // The server that runs has never noticed.
    await bookOn(server, cached);
    expect((await fetch(`${server.url}/ana/about`)).status).toBe(200);
    expect((await server.stop()).code).toBe(0);

    // Not even the files are there that the cached page was built with.
    await rm(join(program, 'dist', first), { recursive: true });
    const restarted = await place.serve({ programFolder: program });
    const anew = await cacheBookingPage(restarted);
    const scripts = ({ body }: CachedPage) => body.match(/\/_astro\/BookingIsland[^"]+/)?.[0];
    expect(scripts(anew)).not.toBe(scripts(cached));
    await bookOn(restarted, cached);
    await bookOn(restarted, anew);
  },
  BUILDS_MS,
);
