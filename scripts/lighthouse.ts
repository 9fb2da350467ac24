// `npm run lighthouse`: measures the public pages with Lighthouse, on the site that `npm start` serves, with demo
// data. Writes docs/lighthouse.md when it has measured all pages five times; `-- services 1` measures one page once.
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
/** As a share of all cores. Lighthouse cannot tell the work of other programs from that of the page. */
const MAX_BUSY_SHARE = 0.2;
const MAX_IDLE_WAIT_SECONDS = 60;
const MIN_PERFORMANCE = 98;
/** `{design}` and `{service}` stand for the id of the first one of the demo's artist. */
const PAGES = [
  { name: 'landing', path: '/' },
  { name: 'explore', path: '/explore/' },
  { name: 'designs', path: '/ana/' },
  { name: 'design', path: '/ana/designs/{design}' },
  { name: 'services', path: '/ana/services' },
  { name: 'about', path: '/ana/about' },
  { name: 'scheduling', path: '/ana/scheduling?service={service}' },
] as const;
type Page = (typeof PAGES)[number];
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

// The parts of Lighthouse's report that are read here. Its own types are missing where it is not installed.
interface LighthouseReport {
  readonly lighthouseVersion: string;
  readonly runtimeError?: { readonly code: string; readonly message: string };
  readonly environment: { readonly hostUserAgent: string; readonly benchmarkIndex: number };
  readonly audits: Readonly<Record<string, Audit>>;
  readonly categories: Readonly<Record<string, ReportCategory>>;
}
interface Audit {
  readonly score: number | null;
  readonly title: string;
  readonly displayValue?: string;
  readonly numericValue?: number;
  readonly details?: { readonly type: string; readonly items?: unknown };
}
interface ReportCategory {
  readonly score: number | null;
  readonly auditRefs: readonly { readonly id: string; readonly group?: string }[];
}
type Lighthouse = (
  url: string,
  flags: { readonly port: number; readonly onlyCategories: readonly string[] },
) => Promise<{ readonly lhr: LighthouseReport } | undefined>;
type LaunchChrome = (options: {
  readonly chromePath: string;
  readonly chromeFlags: readonly string[];
}) => Promise<{ readonly port: number; kill(): void }>;

/** The result of one run of Lighthouse on a page. */
interface LighthouseRun {
  /** 0 to 100. */
  readonly scores: Readonly<Record<Category, number>>;
  /** By the metric's short name, milliseconds except for CLS. */
  readonly metrics: Readonly<Record<string, number>>;
  /** Bytes as they were sent, with headers. */
  readonly transferredBytes: { readonly all: number; readonly scripts: number };
  /** The audits without the full score, in Lighthouse's words. */
  readonly failedAudits: readonly string[];
  readonly lighthouseVersion: string;
  readonly browserVersion: string;
  /** The share of all cores, 0 to 1, that other programs used right before the run. */
  readonly busyShare: number;
  /** Lighthouse's own measure of how fast the machine was during the run. */
  readonly benchmarkIndex: number;
}

interface PageReport {
  readonly page: Page;
  /** From the lowest performance to the highest. */
  readonly runs: readonly LighthouseRun[];
  readonly median: LighthouseRun;
  /** The performance of the median run; in the other categories, the lowest score of all runs. */
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
  for (const page of options.pages) reports.push(await measurePage(page, options.count));
  if (options.pages.length === PAGES.length && options.count === RUNS) {
    writeFileSync(REPORT, formatReport(reports));
    console.log('Written to docs/lighthouse.md.');
  }
  const belowTarget = reports.filter((report) => !meetsTargets(report));
  const disturbed = reports
    .flatMap(({ runs }) => runs)
    .filter(({ busyShare }) => busyShare > MAX_BUSY_SHARE);
  if (disturbed.length > 0)
    console.log(`In ${disturbed.length} runs the machine was busy with other things.`);
  if (belowTarget.length > 0) {
    console.error(`Below the bar: ${belowTarget.map(({ page }) => page.name).join(', ')}.`);
    process.exitCode = 1;
  }
} finally {
  await stopServer();
}

function parseArguments(words: readonly string[]): { pages: readonly Page[]; count: number } {
  const pages = PAGES.filter(({ name }) => words.includes(name));
  const [count = RUNS, ...more] = words.filter((word) => /^[1-9]\d?$/.test(word)).map(Number);
  // Each word must be a page, but for one number.
  if (pages.length + (words.length > pages.length ? 1 : 0) !== words.length || more.length > 0) {
    const names = PAGES.map(({ name }) => `[${name}]`).join(' ');
    console.error(`Usage: npm run lighthouse -- ${names} [number of runs]`);
    process.exit(2);
  }
  return { pages: pages.length > 0 ? pages : PAGES, count };
}

async function measurePage(page: Page, count: number): Promise<PageReport> {
  const { designs, services } = await loadDemoArtist('ana');
  const [design] = designs;
  const [service] = services;
  if (!design || !service) throw new Error('ana has no design or no service.');
  const path = page.path.replace('{design}', design.id).replace('{service}', service.id);
  const runs: LighthouseRun[] = [];
  for (let number = 1; number <= count; number += 1) {
    const run = await runWithRetries(new URL(path, siteUrl()).href);
    runs.push(run);
    const scores = CATEGORIES.map((category) => `${category} ${run.scores[category]}`);
    const metrics = Object.entries(run.metrics).map(
      ([name, value]) => `${name} ${formatMetric(name, value)}`,
    );
    const machine = [`speed ${run.benchmarkIndex}`, `busy ${Math.round(run.busyShare * 100)} %`];
    console.log(`${page.name} ${number}: ${[...scores, ...metrics, ...machine].join(', ')}`);
  }
  runs.sort((a, b) => a.scores.performance - b.scores.performance);
  const median = runs[Math.floor((count - 1) / 2)];
  if (!median) throw new Error('The page was not measured');
  for (const audit of median.failedAudits) console.log(`  ${audit}`);
  const worst = (category: Category) => Math.min(...runs.map(({ scores }) => scores[category]));
  return {
    page,
    runs,
    median,
    scores: {
      performance: median.scores.performance,
      accessibility: worst('accessibility'),
      'best-practices': worst('best-practices'),
      seo: worst('seo'),
    },
  };
}

/** Runs Lighthouse until it succeeds: on a busy machine it may lose a trace, and says to run it again. */
async function runWithRetries(url: string): Promise<LighthouseRun> {
  let failure = '';
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const busyShare = await waitUntilIdle();
    const result = await runLighthouse(url);
    if (!result.runtimeError) return toLighthouseRun(result, busyShare);
    failure = `${result.runtimeError.code}: ${result.runtimeError.message}`;
    console.log(`Once more, after ${failure}`);
  }
  throw new Error(failure);
}

/** Waits, not for ever, until the machine has little else to do. @returns the busy share of all cores, 0 to 1 */
async function waitUntilIdle(): Promise<number> {
  for (let waited = 1; ; waited += 1) {
    const before = coreTimes();
    await sleep(1000);
    const after = coreTimes();
    const busyShare = 1 - (after.idle - before.idle) / (after.all - before.all);
    if (busyShare <= MAX_BUSY_SHARE || waited >= MAX_IDLE_WAIT_SECONDS) return busyShare;
  }
}

/** Milliseconds of all cores together since the machine started. */
function coreTimes(): { idle: number; all: number } {
  const times = cpus().map((core) => core.times);
  const idle = times.reduce((sum, time) => sum + time.idle, 0);
  const all = times.reduce((sum, { user, nice, sys, irq }) => sum + user + nice + sys + irq, idle);
  return { idle, all };
}

/** Runs Lighthouse once with its own mobile settings, in a browser without a cache. */
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

function toLighthouseRun(result: LighthouseReport, busyShare: number): LighthouseRun {
  const { audits, environment } = result;
  const scoreOf = (category: Category) =>
    Math.round((result.categories[category]?.score ?? 0) * 100);
  const { details } = audits['network-requests'] ?? {};
  const requests = NetworkRequests.parse(details?.type === 'table' ? details.items : null);
  const sumBytes = (some: typeof requests) =>
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
      all: sumBytes(requests),
      scripts: sumBytes(requests.filter(({ resourceType }) => resourceType === 'Script')),
    },
    failedAudits: listFailedAudits(result),
    lighthouseVersion: result.lighthouseVersion,
    browserVersion:
      /Chrome\/([\d.]+)/.exec(environment.hostUserAgent)?.[1] ?? environment.hostUserAgent,
    busyShare,
    benchmarkIndex: Math.round(environment.benchmarkIndex),
  };
}

function listFailedAudits({ audits, categories }: LighthouseReport): string[] {
  return CATEGORIES.flatMap((category) =>
    (categories[category]?.auditRefs ?? []).flatMap(({ id, group }) => {
      const { score = null, title, displayValue } = audits[id] ?? {};
      // Leaves out audits that Lighthouse hides in its own report, and metrics, which have columns in ours.
      if (score === null || score >= 1 || group === 'hidden' || group === 'metrics') return [];
      return [`${category}: ${title}${displayValue ? ` (${displayValue})` : ''}`];
    }),
  );
}

function meetsTargets({ scores }: PageReport): boolean {
  const { performance, ...others } = scores;
  return performance >= MIN_PERFORMANCE && Object.values(others).every((score) => score === 100);
}

/** A time in seconds; CLS, which is a share, with three decimals. @param value in milliseconds, or of CLS */
function formatMetric(metric: string, value: number): string {
  return metric === 'CLS' ? value.toFixed(3) : `${(value / 1000).toFixed(2)} s`;
}

function formatRange(values: readonly number[]): string {
  return `${Math.min(...values)} to ${Math.max(...values)}`;
}

function formatReport(reports: readonly PageReport[]): string {
  const median = reports[0]?.median;
  const allRuns = reports.flatMap(({ runs }) => runs);
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
  const rows = reports.map(({ page, runs, median, scores }) => [
    `${page.name} \`${page.path.replace(/\{.*\}/, '…')}\``,
    `**${scores.performance}** (${runs.map((run) => run.scores.performance).join(' ')})`,
    scores.accessibility,
    scores['best-practices'],
    scores.seo,
    ...metrics.map((metric) => formatMetric(metric, median.metrics[metric] ?? Number.NaN)),
    (median.transferredBytes.all / 1000).toFixed(1),
    (median.transferredBytes.scripts / 1000).toFixed(1),
  ]);
  const row = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`;
  const remarks = reports.flatMap(({ page, median }) =>
    median.failedAudits.map((audit) => `- ${page.name}: ${audit}`),
  );
  return `# Lighthouse

Written by \`npm run lighthouse\`, which fails when a page is below the bar: a performance of at
least ${MIN_PERFORMANCE} (the median of ${RUNS} runs) and 100 for the rest (in each run). Mobile,
simulated throttling: Lighthouse's own settings, the same for every page. The site is the one that
\`npm start\` serves, with its demo data. The columns after SEO are those of the median run; KB are
1,000 bytes as they were sent.

${[row(head), row(head.map(() => '---')), ...rows.map(row)].join('\n')}

- ${cpus().length} cores, ${cpus()[0]?.model.trim()}; ${Math.round(totalmem() / 2 ** 30)} GB of memory; ${process.platform} ${process.arch}
- by Lighthouse's own measure a speed of ${formatRange(allRuns.map((run) => run.benchmarkIndex))}; before a run, other things took
  ${formatRange(allRuns.map((run) => Math.round(run.busyShare * 100)))} % of it
- Node ${process.version}; Chromium ${median?.browserVersion}; Lighthouse ${median?.lighthouseVersion}
- commit ${commit()}, ${new Date().toISOString().slice(0, 10)}

## What it still remarks

${remarks.length > 0 ? remarks.join('\n') : 'Nothing.'}
`;
}

/** The commit that is measured, for the report. */
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
