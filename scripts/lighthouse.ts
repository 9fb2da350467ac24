// `npm run lighthouse`: what Lighthouse says of the public pages, on the site that `npm start`
// serves. `-- services 1` tries one page once; all pages at five runs are written to docs/.
import './node_version.js';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod/mini';
import { loadDemoArtist } from '#support/browser_api.ts';
import { serveOtherSite, siteUrl } from '#support/browser_server.ts';
import { ensureChromium } from './chromium.ts';
import { ensureInstalled, resolvePackageUrl } from './optional_packages.ts';

const ROOT = join(import.meta.dirname, '..');
const REPORT = join(ROOT, 'docs/lighthouse.md');
const RUNS = 5;
const ATTEMPTS = 3;
/** As a share of all cores. What others do meanwhile, Lighthouse takes for the page's own work. */
const MAX_BUSY_SHARE = 0.2;
const MAX_IDLE_WAIT_SECONDS = 60;
const MIN_PERFORMANCE = 98;
/** Each page's path, once the site runs. */
const PAGES = {
  landing: async () => '/',
  explore: async () => '/explore/',
  designs: async () => '/ana/',
  design: async () => `/ana/designs/${await firstDesign()}`,
  services: async () => '/ana/services',
  about: async () => '/ana/about',
  scheduling: async () => `/ana/scheduling?service=${await firstService()}`,
};
type PageName = keyof typeof PAGES;
const PAGE_NAMES: readonly PageName[] = [
  'landing',
  'explore',
  'designs',
  'design',
  'services',
  'about',
  'scheduling',
];
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const;
type Category = (typeof CATEGORIES)[number];
const METRICS = {
  FCP: 'first-contentful-paint',
  LCP: 'largest-contentful-paint',
  TBT: 'total-blocking-time',
  CLS: 'cumulative-layout-shift',
  'Speed Index': 'speed-index',
};
const NetworkRequests = z.array(z.object({ transferSize: z.number(), resourceType: z.string() }));

/** As much of Lighthouse's report as is read here; its package is not installed by all. */
interface LighthouseReport {
  readonly lighthouseVersion: string;
  readonly runtimeError?: { readonly code: string; readonly message: string };
  readonly environment: { readonly hostUserAgent: string; readonly benchmarkIndex: number };
  readonly audits: Readonly<
    Record<
      string,
      {
        readonly score: number | null;
        readonly title: string;
        readonly displayValue?: string;
        readonly numericValue?: number;
        readonly details?: { readonly type: string; readonly items?: unknown };
      }
    >
  >;
  readonly categories: Readonly<
    Record<
      string,
      {
        readonly score: number | null;
        readonly auditRefs: readonly { readonly id: string; readonly group?: string }[];
      }
    >
  >;
}
type Lighthouse = (
  url: string,
  flags: { readonly port: number; readonly onlyCategories: readonly string[] },
) => Promise<{ readonly lhr: LighthouseReport } | undefined>;
type LaunchChrome = (options: {
  readonly chromePath: string;
  readonly chromeFlags: readonly string[];
}) => Promise<{ readonly port: number; kill(): void }>;

interface LighthouseRun {
  /** 0 to 100. */
  readonly scores: Readonly<Record<Category, number>>;
  /** By the metric's short name, milliseconds except for CLS. */
  readonly metrics: Readonly<Record<string, number>>;
  /** Bytes as they were sent, with headers. */
  readonly transferredBytes: { readonly all: number; readonly scripts: number };
  /** What is short of the best, in Lighthouse's words. */
  readonly failedAudits: readonly string[];
  readonly lighthouseVersion: string;
  readonly browserVersion: string;
  /** Which share of all cores had other things to do, right before. */
  readonly busyShare: number;
  /** Lighthouse's own measure of how fast the machine was at that moment. */
  readonly benchmarkIndex: number;
}

interface PageReport {
  readonly name: PageName;
  readonly path: string;
  /** From the lowest performance to the highest. */
  readonly runs: readonly LighthouseRun[];
  readonly median: LighthouseRun;
  /** The median performance; of the others, what the worst run got. */
  readonly scores: Readonly<Record<Category, number>>;
}

const options = parseArguments(process.argv.slice(2));
const chromium = ensureChromium();
ensureInstalled('bench/lighthouse');
const { default: lighthouse }: { default: Lighthouse } = await import(
  resolvePackageUrl('bench/lighthouse', 'lighthouse')
);
const { launch }: { launch: LaunchChrome } = await import(
  resolvePackageUrl('bench/lighthouse', 'chrome-launcher')
);
const stopServer = await serveOtherSite({});
try {
  const reports: PageReport[] = [];
  for (const name of options.pages) reports.push(await measurePage(name, options.runs));
  if (options.pages.length === PAGE_NAMES.length && options.runs === RUNS) {
    writeFileSync(REPORT, formatReport(reports));
    console.log('Written to docs/lighthouse.md.');
  }
  const short = reports.filter((report) => !meetsTargets(report));
  const disturbed = reports
    .flatMap(({ runs: looks }) => looks)
    .filter(({ busyShare: busy }) => busy > MAX_BUSY_SHARE);
  if (disturbed.length > 0)
    console.log(`In ${disturbed.length} runs the machine was busy with other things.`);
  if (short.length > 0) {
    console.error(`Below the bar: ${short.map(({ name }) => name).join(', ')}.`);
    process.exitCode = 1;
  }
} finally {
  await stopServer();
}

function parseArguments(words: readonly string[]): { pages: readonly PageName[]; runs: number } {
  const pages = PAGE_NAMES.filter((name) => words.includes(name));
  const [runs = RUNS, ...more] = words.filter((word) => /^[1-9]\d?$/.test(word)).map(Number);
  if (pages.length + (words.length > pages.length ? 1 : 0) !== words.length || more.length > 0) {
    console.error(`Usage: npm run lighthouse -- [${PAGE_NAMES.join('] [')}] [number of runs]`);
    process.exit(2);
  }
  return { pages: pages.length > 0 ? pages : PAGE_NAMES, runs };
}

async function firstService(): Promise<string> {
  const [service] = (await loadDemoArtist('ana')).services;
  if (!service) throw new Error('ana has no service.');
  return service.id;
}

async function firstDesign(): Promise<string> {
  const [design] = (await loadDemoArtist('ana')).designs;
  if (!design) throw new Error('ana has no design.');
  return design.id;
}

async function measurePage(name: PageName, runs: number): Promise<PageReport> {
  const path = await PAGES[name]();
  const looks: LighthouseRun[] = [];
  for (let run = 1; run <= runs; run += 1) {
    const look = await runWithRetries(new URL(path, siteUrl()).href);
    looks.push(look);
    const scores = CATEGORIES.map((category) => `${category} ${look.scores[category]}`);
    const metrics = Object.entries(look.metrics).map(([metric, value]) =>
      formatMetric(metric, value),
    );
    console.log(
      `${name} ${run}: ${[...scores, ...metrics, `speed ${look.benchmarkIndex}`, `busy ${formatPercent(look.busyShare)}`].join(', ')}`,
    );
  }
  looks.sort((a, b) => a.scores.performance - b.scores.performance);
  const median = looks[Math.floor((runs - 1) / 2)];
  if (!median) throw new Error('Not looked at');
  for (const remark of median.failedAudits) console.log(`  ${remark}`);
  const worst = (category: Category) => Math.min(...looks.map(({ scores }) => scores[category]));
  return {
    name,
    path: path.replace(/(=|designs\/).*/, '$1…'),
    runs: looks,
    median,
    scores: {
      performance: median.scores.performance,
      accessibility: worst('accessibility'),
      'best-practices': worst('best-practices'),
      seo: worst('seo'),
    },
  };
}

/** One run that worked out: on a busy machine Lighthouse may lose a trace, and says to run again. */
async function runWithRetries(url: string): Promise<LighthouseRun> {
  let failure = '';
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const busy = await waitUntilIdle();
    const result = await runLighthouse(url);
    if (!result.runtimeError) return toLighthouseRun(result, busy);
    failure = `${result.runtimeError.code}: ${result.runtimeError.message}`;
    console.log(`Once more, after ${failure}`);
  }
  throw new Error(failure);
}

/**
 * Waits until the machine has little else to do, but not for ever.
 * @returns how busy it was in the last second, as a share of all cores
 */
async function waitUntilIdle(): Promise<number> {
  for (let waited = 1; ; waited += 1) {
    const before = coreTimes();
    await sleep(1000);
    const after = coreTimes();
    const busy = 1 - (after.idle - before.idle) / (after.all - before.all);
    if (busy <= MAX_BUSY_SHARE || waited >= MAX_IDLE_WAIT_SECONDS) return busy;
  }
}

/** Milliseconds of all cores since the machine began. */
function coreTimes(): { idle: number; all: number } {
  const times = cpus().map((core) => core.times);
  const idle = times.reduce((sum, time) => sum + time.idle, 0);
  const all = times.reduce((sum, { user, nice, sys, irq }) => sum + user + nice + sys + irq, idle);
  return { idle, all };
}

/** Lighthouse's own mobile settings, in a browser that has seen nothing yet. */
async function runLighthouse(url: string): Promise<LighthouseReport> {
  const browser = await launch({
    chromePath: chromium,
    // Chromium does not sandbox for root.
    chromeFlags: ['--headless=new', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
  });
  try {
    const found = await lighthouse(url, { port: browser.port, onlyCategories: [...CATEGORIES] });
    if (!found) throw new Error(`Lighthouse says nothing of ${url}.`);
    return found.lhr;
  } finally {
    browser.kill();
  }
}

function toLighthouseRun(result: LighthouseReport, busy: number): LighthouseRun {
  const { audits, environment } = result;
  const scoreOf = (category: Category) =>
    Math.round((result.categories[category]?.score ?? 0) * 100);
  const { details } = audits['network-requests'] ?? {};
  const requests = NetworkRequests.parse(details?.type === 'table' ? details.items : null);
  const sum = (some: typeof requests) =>
    some.reduce((total, { transferSize }) => total + transferSize, 0);
  return {
    scores: {
      performance: scoreOf('performance'),
      accessibility: scoreOf('accessibility'),
      'best-practices': scoreOf('best-practices'),
      seo: scoreOf('seo'),
    },
    metrics: Object.fromEntries(
      Object.entries(METRICS).map(([name, id]) => [name, audits[id]?.numericValue ?? Number.NaN]),
    ),
    transferredBytes: {
      all: sum(requests),
      scripts: sum(requests.filter(({ resourceType }) => resourceType === 'Script')),
    },
    failedAudits: listFailedAudits(result),
    lighthouseVersion: result.lighthouseVersion,
    browserVersion:
      /Chrome\/([\d.]+)/.exec(environment.hostUserAgent)?.[1] ?? environment.hostUserAgent,
    busyShare: busy,
    benchmarkIndex: Math.round(environment.benchmarkIndex),
  };
}

function listFailedAudits({ audits, categories }: LighthouseReport): string[] {
  return CATEGORIES.flatMap((category) =>
    (categories[category]?.auditRefs ?? []).flatMap(({ id, group }) => {
      const { score = null, title, displayValue } = audits[id] ?? {};
      // What Lighthouse hides in its own report, and the metrics, which have columns.
      if (score === null || score >= 1 || group === 'hidden' || group === 'metrics') return [];
      return [`${category}: ${title}${displayValue ? ` (${displayValue})` : ''}`];
    }),
  );
}

function meetsTargets({ scores }: PageReport): boolean {
  const { performance, ...others } = scores;
  return performance >= MIN_PERFORMANCE && Object.values(others).every((score) => score === 100);
}

function formatMetric(metric: string, value: number): string {
  return metric === 'CLS' ? `CLS ${value.toFixed(3)}` : `${metric} ${Math.round(value)} ms`;
}

function formatPercent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

function formatRange(values: readonly number[]): string {
  return `${Math.min(...values)} to ${Math.max(...values)}`;
}

function formatReport(reports: readonly PageReport[]): string {
  const [one] = reports;
  const looks = reports.flatMap((report) => report.runs);
  const metrics = Object.keys(METRICS);
  const head = [
    'Page',
    'Performance (of the runs)',
    'Accessibility',
    'Best practices',
    'SEO',
    ...metrics,
    'All KB',
    'Script KB',
  ];
  const rows = reports.map(({ name, path, runs, median, scores }) => [
    `${name} \`${path}\``,
    `**${scores.performance}** (${runs.map((look) => look.scores.performance).join(' ')})`,
    scores.accessibility,
    scores['best-practices'],
    scores.seo,
    ...metrics.map((metric) => {
      const value = median.metrics[metric] ?? Number.NaN;
      return metric === 'CLS' ? value.toFixed(3) : `${(value / 1000).toFixed(2)} s`;
    }),
    (median.transferredBytes.all / 1000).toFixed(1),
    (median.transferredBytes.scripts / 1000).toFixed(1),
  ]);
  const row = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`;
  const remarks = reports.flatMap(({ name, median }) =>
    median.failedAudits.map((remark) => `- ${name}: ${remark}`),
  );
  return `# Lighthouse

Written by \`npm run lighthouse\`, which fails when a page is below the bar: a performance of at
least ${MIN_PERFORMANCE} (the median of ${RUNS} runs) and 100 for the rest (in each run). Mobile,
simulated throttling: Lighthouse's own settings, the same for every page. The site is the one that
\`npm start\` serves, with its demo data. The columns after SEO are those of the median run; KB are
1,000 bytes as they were sent.

${[row(head), row(head.map(() => '---')), ...rows.map(row)].join('\n')}

- ${cpus().length} cores, ${cpus()[0]?.model.trim()}; ${Math.round(totalmem() / 2 ** 30)} GB of memory; ${process.platform} ${process.arch}
- by Lighthouse's own measure a speed of ${formatRange(looks.map(({ benchmarkIndex: speed }) => speed))}; before a run, other things took
  ${formatRange(looks.map(({ busyShare: busy }) => Math.round(busy * 100)))} % of it
- Node ${process.version}; Chromium ${one?.median.browserVersion}; Lighthouse ${one?.median.lighthouseVersion}
- commit ${commit()}, ${new Date().toISOString().slice(0, 10)}

## What it still remarks

${remarks.length > 0 ? remarks.join('\n') : 'Nothing.'}
`;
}

function commit(): string {
  const git = (...words: string[]) =>
    execFileSync('git', words, { cwd: ROOT, encoding: 'utf8' }).trim();
  try {
    const changed = git('status', '--porcelain', '--', 'src', 'public', 'astro.config.mjs') !== '';
    return git('rev-parse', '--short=12', 'HEAD') + (changed ? ' and changes not committed' : '');
  } catch {
    return 'unknown';
  }
}
