import { setTimeout as sleep } from 'node:timers/promises';
import { type Browser, chromium, devices, type Page } from '@playwright/test';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#domain/time/time.ts';
import { ensureChromium } from '../scripts/chromium.ts';
import { callAsArtist, logIn } from './api.ts';
import type { Benchmark } from './benchmark.ts';
import { median } from './rounds.ts';
import { openSandbox } from './sandbox.ts';

/** A phone on a slow mobile network: bytes per second, milliseconds for a round trip. */
const SLOW_NETWORK = {
  offline: false,
  downloadThroughput: 1_600_000 / 8,
  uploadThroughput: 750_000 / 8,
  latency: 150,
};
const CPU_SLOWDOWN = 4;
const MAX_TAPS = 6;
const MAX_SECONDS = 6;
const MAX_STEP_MS = 20_000;

/** One thing that a client does, and how long they then wait until the next one works. */
interface Step {
  readonly name: string;
  readonly isTap: boolean;
  /** Milliseconds. */
  readonly wait: number;
}
/** Something to tap or to read: the first element of this CSS selector whose text begins so. */
interface Target {
  readonly css: string;
  readonly text?: string;
}
/** @param run each gets another number */
type Flow = (page: Page, url: string, recorder: Recorder, run: number) => Promise<void>;

const BOOK_NOW = { css: 'main a', text: 'Book Now!' };
const FIRST_NAME = { css: 'input[name=first_name]' };
const SAVE = { css: 'button[type=submit]', text: 'Save' };
const CONFIRM = { css: 'button', text: 'Confirm Appointment' };
const BOOKED = { css: 'h1, h2', text: "You're booked!" };

export const bookingSteps: Benchmark = {
  name: 'steps',
  title: 'from opening the artist’s page to “You’re booked!” on a slow phone, seconds of waiting',
  baseline: 'the bound',
  target: { atMost: 1 },
  method: `A new visitor at 390×844 with 1.6 Mbit/s down, 750 kbit/s up, 150 ms for a round trip and a processor slowed down ${CPU_SLOWDOWN} times. Waiting is the time from a tap until the next thing to tap works: it is visible, enabled and, in view, nothing lies over it. Typing is left out; the first field takes a tap. The slower flow counts. At most ${MAX_TAPS} taps.`,
  async measure(scale) {
    await using place = await openSandbox();
    await using server = await place.serve();
    const browser = await chromium.launch({
      executablePath: ensureChromium(),
      args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
    });
    try {
      const runs = scale === 'full' ? 7 : 3;
      const service = await measureFlow(browser, server.url, bookService, runs);
      const managed = await measureFlow(browser, server.url, requestAndAccept, runs);
      const taps = Math.max(...[service, managed].map(countTaps));
      if (taps > MAX_TAPS) throw new Error(`${taps} taps, at most ${MAX_TAPS} are allowed`);
      const seconds = Math.max(sumWaits(service), sumWaits(managed)) / 1000;
      return {
        ratio: seconds / MAX_SECONDS,
        ours: `${seconds.toFixed(1)} s`,
        baseline: `${MAX_SECONDS} s`,
        notes: [
          ...formatSteps('Service, a design and a time', service),
          ...formatSteps('Managed, a request and the offered time', managed),
        ],
      };
    } finally {
      await browser.close();
    }
  },
};

/** A client picks a design, a service and a time, and confirms it. */
async function bookService(page: Page, url: string, recorder: Recorder): Promise<void> {
  const service = { css: 'main a', text: 'Select' };
  const soonest = { css: 'button', text: 'Soonest' };
  await recorder.open('the artist’s page', `${url}/ana/`, BOOK_NOW);
  await recorder.tap('Book Now!', BOOK_NOW, service);
  await recorder.tap('Select a service', service, soonest);
  await recorder.tap('Soonest', soonest, FIRST_NAME);
  await recorder.tap('the first field', FIRST_NAME, FIRST_NAME);
  await typeDetails(page);
  await recorder.tap('Save', SAVE, CONFIRM);
  await recorder.tap('Confirm Appointment', CONFIRM, BOOKED);
}

/** A client sends a request; the artist offers a time; the client opens the link and confirms. */
async function requestAndAccept(
  page: Page,
  url: string,
  recorder: Recorder,
  run: number,
): Promise<void> {
  await recorder.open('the artist’s page', `${url}/bo/`, BOOK_NOW);
  await recorder.tap('Book Now!', BOOK_NOW, FIRST_NAME);
  await recorder.tap('the first field', FIRST_NAME, FIRST_NAME);
  await typeDetails(page);
  await recorder.tap('Save', SAVE, { css: 'h1, h2', text: 'Thanks for your request' });
  const { pathname } = new URL(page.url());
  await offerTime(url, pathname.split('/').at(3) ?? '', run);
  await recorder.open('the mailed link', url + pathname, CONFIRM);
  await recorder.tap('Confirm Appointment', CONFIRM, BOOKED);
}

async function typeDetails(page: Page): Promise<void> {
  const values = {
    'First name': 'Rosa',
    'Last name': 'Quint',
    'Phone number': '(212) 555-0100',
    'Email (required)': 'rosa@example.com',
  };
  for (const [label, value] of Object.entries(values))
    await page.getByLabel(label, { exact: true }).fill(value);
}

/** The demo artist `bo` offers a time, in each run on another day. */
async function offerTime(url: string, id: string, run: number): Promise<void> {
  const token = await logIn(url, 'bo');
  const { version } = await callAsArtist<{ version: number }>(
    url,
    token,
    `GET /appointments/${id}`,
  );
  const start = Math.ceil(Date.now() / DAY_MS + 4 + run) * DAY_MS + 18 * HOUR_MS;
  const toText = (instant: number) => new Date(instant).toISOString();
  const time = { start: toText(start), end: toText(start + HOUR_MS - MINUTE_MS) };
  await callAsArtist(url, token, `PATCH /appointments/${id}`, { ...time, version });
}

/** The median of each step over the runs; the first run only warms up. */
async function measureFlow(
  browser: Browser,
  url: string,
  flow: Flow,
  runs: number,
): Promise<readonly Step[]> {
  const all: (readonly Step[])[] = [];
  for (let run = 0; run <= runs; run += 1) {
    const steps = await runFlow(browser, url, flow, run);
    if (run > 0) all.push(steps);
  }
  const [first = []] = all;
  return first.map((step, index) => ({
    ...step,
    wait: median(all.map((steps) => steps[index]?.wait ?? Number.NaN)),
  }));
}

/** Runs the flow once, in a browser that has seen nothing before. */
async function runFlow(
  browser: Browser,
  url: string,
  flow: Flow,
  run: number,
): Promise<readonly Step[]> {
  const { defaultBrowserType: _, ...phone } = devices['Pixel 5'] ?? {};
  const context = await browser.newContext({ ...phone, viewport: { width: 390, height: 844 } });
  try {
    const page = await context.newPage();
    const devtools = await context.newCDPSession(page);
    await devtools.send('Network.emulateNetworkConditions', SLOW_NETWORK);
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
    await context.addInitScript(watchNextTarget);
    const recorder = new Recorder(page);
    await flow(page, url, recorder, run);
    return recorder.steps;
  } finally {
    await context.close();
  }
}

/** Does one thing after the other, and records how long the next one takes until it works. */
class Recorder {
  readonly steps: Step[] = [];
  readonly #page: Page;
  constructor(page: Page) {
    this.#page = page;
  }

  async open(name: string, url: string, next: Target): Promise<void> {
    // A page of the same site, which can say what the next page waits for.
    await this.#page.goto(new URL('/robots.txt', url).href);
    await this.#expectNext(next, false);
    await this.#page.goto(url, { waitUntil: 'commit' });
    await this.#record(name, false);
  }

  async tap(name: string, target: Target, next: Target): Promise<void> {
    const element = this.#page.locator(target.css, { hasText: target.text ?? '' }).first();
    await element.scrollIntoViewIfNeeded();
    await this.#expectNext(next, true);
    await element.tap({ noWaitAfter: true });
    await this.#record(name, true);
  }

  async #expectNext(next: Target, isTap: boolean): Promise<void> {
    const text = JSON.stringify({ ...next, isTap });
    await this.#page.evaluate((stored) => {
      for (const key of ['bench-wait', 'bench-tapped']) sessionStorage.removeItem(key);
      sessionStorage.setItem('bench-next', stored);
    }, text);
  }

  /** The wait, which the page itself has measured (`watchNextTarget`). */
  async #record(name: string, isTap: boolean): Promise<void> {
    const deadline = Date.now() + MAX_STEP_MS;
    for (;;) {
      // Fails while the page is replaced by the next one.
      const wait = await this.#page
        .evaluate(() => sessionStorage.getItem('bench-wait'))
        .catch(() => null);
      if (wait !== null) {
        this.steps.push({ name, isTap, wait: Number(wait) });
        return;
      }
      if (Date.now() > deadline) throw new Error(`After “${name}” the next step never works`);
      await sleep(50);
    }
  }
}

/**
 * Runs in each page of the browser. Looks at every frame whether what `sessionStorage` names works,
 * and stores the milliseconds since the tap, or since the page was opened.
 */
function watchNextTarget(): void {
  const works = (element: Element): boolean => {
    if (element.matches(':disabled')) return false;
    const { left, right, top, bottom, width } = element.getBoundingClientRect();
    if (width === 0 || !element.checkVisibility()) return false;
    const isInView = top >= 0 && bottom <= innerHeight;
    // A person scrolls to what is further down; in view, nothing may lie over it.
    const onTop = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    return !isInView || (onTop !== null && (element.contains(onTop) || onTop.contains(element)));
  };
  addEventListener(
    'pointerdown',
    () => sessionStorage.setItem('bench-tapped', String(Date.now())),
    { capture: true },
  );
  const look = (): void => {
    const stored = sessionStorage.getItem('bench-next');
    const tapped = sessionStorage.getItem('bench-tapped');
    requestAnimationFrame(look);
    if (stored === null) return;
    const {
      css,
      text = '',
      isTap,
    }: { css: string; text?: string; isTap: boolean } = JSON.parse(stored);
    if (isTap && tapped === null) return;
    const found = [...document.querySelectorAll(css)].find((element) =>
      element.textContent.trim().startsWith(text),
    );
    if (!found || !works(found)) return;
    const since = isTap ? Number(tapped) : performance.timeOrigin;
    sessionStorage.setItem('bench-wait', String(Date.now() - since));
    sessionStorage.removeItem('bench-next');
  };
  requestAnimationFrame(look);
}

function countTaps(steps: readonly Step[]): number {
  return steps.filter(({ isTap }) => isTap).length;
}

function sumWaits(steps: readonly Step[]): number {
  return steps.reduce((sum, { wait }) => sum + wait, 0);
}

function formatSteps(title: string, steps: readonly Step[]): string[] {
  const rows = steps.map(
    ({ name, isTap, wait }) => `| ${isTap ? 'tap' : 'open'} ${name} | ${formatSeconds(wait)} |`,
  );
  return [
    '',
    `| ${title} | waiting |`,
    '|---|---|',
    ...rows,
    `| **${countTaps(steps)} taps** | **${formatSeconds(sumWaits(steps))}** |`,
  ];
}

function formatSeconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(2)} s`;
}
