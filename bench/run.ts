// `npm run bench`: every figure as a ratio to its yardstick in the same run, written to docs/benchmarks.md.
// `npm run bench -- <name …>` measures some and `--quick` less; both only print. A missed bound fails the run.
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { cpus, loadavg, totalmem } from 'node:os';
import { resolve } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { MINUTE_MS } from '#domain/time/time.ts';
import { locatePackagedBinaries } from '#server/database/bundled/binaries.ts';
import { buildIfChanged } from '../scripts/build.ts';
import { availabilityMonth } from './availability_month.ts';
import { type Benchmark, type Measurement, meetsTarget, type Target } from './benchmark.ts';
import { bookingSteps } from './booking_steps.ts';
import { busyArtist } from './busy_artist.ts';
import { cachedPage, cachedPlainPage } from './cached_page.ts';
import { stopAll } from './child_server.ts';
import { explore } from './explore.ts';
import { jobs } from './jobs.ts';
import { longLists } from './long_lists.ts';
import { manyArtists } from './many_artists.ts';
import { memory } from './memory.ts';
import { monthOfSlots } from './month_of_slots.ts';
import { observability } from './observability.ts';
import { renderedPage } from './rendered_page.ts';
import { requestAndConfirm } from './request_and_confirm.ts';
import { sessions } from './sessions.ts';
import { workers } from './workers.ts';

const PROJECT = resolve(import.meta.dirname, '..');
const REPORT = resolve(PROJECT, 'docs/benchmarks.md');
/** Processes that ran or waited for a core in the minute before; with more, figures are not to be compared. */
const MAX_LOAD = 1;
const BENCHMARKS: readonly Benchmark[] = [
  cachedPage,
  cachedPlainPage,
  workers,
  renderedPage,
  availabilityMonth,
  monthOfSlots,
  requestAndConfirm,
  observability,
  bookingSteps,
  memory,
  busyArtist,
  longLists,
  sessions,
  // Last, as they take longest to fill.
  explore,
  jobs,
  manyArtists,
];

interface BenchmarkResult {
  readonly benchmark: Benchmark;
  readonly measurement: Measurement;
}
/** A figure that could not be measured, and why. */
interface BenchmarkFailure {
  readonly benchmark: Benchmark;
  readonly reason: string;
}

const { values, positionals } = parseArgs({
  options: { quick: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const unknown = positionals.filter((name) => !BENCHMARKS.some((figure) => figure.name === name));
if (unknown.length > 0) {
  console.error(`There is no ${unknown.join(', ')}. There are:`);
  for (const { name, title: what } of BENCHMARKS) console.error(`  ${name.padEnd(14)}${what}`);
  process.exit(1);
}

// After SIGTERM it still removes its files.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stopAll);
const [load = 0] = loadavg();
console.log(describeLoad());
const startedAt = new Date();
const machine = await describeMachine();
buildIfChanged();

const chosen = BENCHMARKS.filter(
  ({ name }) => positionals.length === 0 || positionals.includes(name),
);
const results: BenchmarkResult[] = [];
const failures: BenchmarkFailure[] = [];
const missed: string[] = [];
for (const figure of chosen) {
  console.log(`${figure.name}: ${figure.title} …`);
  const start = performance.now();
  const measured = await measure(figure);
  if (!measured) continue;
  const result = { benchmark: figure, measurement: measured };
  results.push(result);
  const seconds = ((performance.now() - start) / 1000).toFixed(0);
  console.log(`  ${formatResult(result)} (${seconds} s)`);
  if (!meetsTarget(measured.ratio, figure.target))
    missed.push(`${figure.name}: ${formatResult(result)}`);
  for (const note of measured.notes ?? []) console.log(`  ${note}`);
}
if (values.quick || positionals.length > 0)
  console.log('Printed only: a whole run writes the table.');
else {
  await writeFile(REPORT, formatReport());
  console.log(`Written to ${REPORT}`);
}

if (missed.length > 0) {
  console.error(`Missed:\n${missed.join('\n')}`);
  process.exitCode = 1;
}

/** A benchmark that fails does not stop the others. */
async function measure(figure: Benchmark): Promise<Measurement | undefined> {
  try {
    return await figure.measure(values.quick ? 'quick' : 'full');
  } catch (error) {
    console.error(error);
    failures.push({
      benchmark: figure,
      reason: error instanceof Error ? error.message : String(error),
    });
    missed.push(`${figure.name}: not measured`);
    return undefined;
  }
}

function formatResult({ benchmark: figure, measurement: measured }: BenchmarkResult): string {
  const verdict = meetsTarget(measured.ratio, figure.target) ? '✓' : '✗';
  return `${verdict} ${measured.ratio.toFixed(2)} (${formatTarget(figure.target)}): ${measured.ours} against ${measured.baseline}`;
}

function formatTarget(bound: Target): string {
  if (bound === 'none') return 'no bound';
  return 'atLeast' in bound ? `at least ${bound.atLeast}` : `at most ${bound.atMost}`;
}

function formatReport(): string {
  const minutes = Math.ceil((Date.now() - startedAt.getTime()) / MINUTE_MS);
  const lines = [
    '# Benchmarks',
    '',
    'Written by `npm run bench`. Each figure is a ratio to its yardstick, measured in the same run on the',
    'same machine: both sides in production mode and by turns, the first round is dropped, and the median of',
    'the others is quoted. [What a page costs](page_cost.md) says where the time of the rendered page goes.',
    '',
    ...machine.map((line) => `- ${line}`),
    `- one run of ${minutes} minutes, begun ${startedAt.toISOString().slice(0, 16)}Z`,
    '',
    '| Figure | Yardstick | Ours | Yardstick’s | Ratio | To reach | |',
    '|---|---|---|---|---|---|---|',
    ...results.map(({ benchmark: figure, measurement: measured }) => {
      const verdict = meetsTarget(measured.ratio, figure.target) ? 'yes' : '**no**';
      return `| ${figure.title} | ${figure.baseline} | ${measured.ours} | ${measured.baseline} | ${measured.ratio.toFixed(2)} | ${formatTarget(figure.target)} | ${verdict} |`;
    }),
    ...failures.map(
      ({ benchmark: figure, reason: why }) =>
        `| ${figure.title} | ${figure.baseline} | not measured: ${why.split('\n')[0]} | | | ${formatTarget(figure.target)} | **no** |`,
    ),
    '',
    '## How each is measured',
    '',
    ...results.flatMap(({ benchmark: figure, measurement: measured }) => [
      `- **${figure.name}**: ${figure.method}`,
      ...(measured.notes ?? []).map((note) => `  ${note}`),
    ]),
    '',
  ];
  return lines.join('\n');
}

function describeLoad(): string {
  const text = `load average ${load.toFixed(2)} before the run`;
  return load > MAX_LOAD ? `**${text}: the machine was busy with other work**` : text;
}

/** What it runs on, and which program. */
async function describeMachine(): Promise<string[]> {
  const cores = cpus();
  const gigabytes = Math.round(totalmem() / 2 ** 30);
  const { packageVersion: version } = await locatePackagedBinaries();
  const commit = await runForOutput('git', ['-C', PROJECT, 'rev-parse', '--short', 'HEAD']);
  const changed =
    (await runForOutput('git', ['-C', PROJECT, 'status', '--porcelain', '--', 'src', 'bench'])) !==
    '';
  return [
    `${cores.length} cores, ${cores[0]?.model.trim()}; ${gigabytes} GB of memory; ${process.platform} ${process.arch}`,
    `Node ${process.version}; PostgreSQL ${version}, the bundled one`,
    describeLoad(),
    `commit ${commit}${changed ? ' and changes not committed' : ''}, for each figure`,
  ];
}

async function runForOutput(command: string, words: string[]): Promise<string> {
  return (await promisify(execFile)(command, words)).stdout.trim();
}
