// `npm run bench`: every figure as a ratio to its yardstick in the same run, written to
// docs/benchmarks.md. `npm run bench -- <name …>` measures some and `--quick` less; both only print.
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';
import { resolve } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { locatePackagedBinaries } from '#server/database/bundled/binaries.ts';
import { buildIfChanged } from '../scripts/build.ts';
import { availabilityMonth } from './availability_month.ts';
import { type Benchmark, type Measurement, meetsTarget, type Target } from './benchmark.ts';
import { bookingSteps } from './booking_steps.ts';
import { busyArtist } from './busy_artist.ts';
import { cachedPage } from './cached_page.ts';
import { stopAll } from './child_server.ts';
import { explore } from './explore.ts';
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
const BENCHMARKS: readonly Benchmark[] = [
  cachedPage,
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
buildIfChanged();

const chosen = BENCHMARKS.filter(
  ({ name }) => positionals.length === 0 || positionals.includes(name),
);
const results: BenchmarkResult[] = [];
const failures: BenchmarkFailure[] = [];
for (const figure of chosen) {
  console.log(`${figure.name}: ${figure.title} …`);
  const start = performance.now();
  const measured = await measure(figure);
  if (!measured) continue;
  results.push({ benchmark: figure, measurement: measured });
  const seconds = ((performance.now() - start) / 1000).toFixed(0);
  console.log(`  ${formatResult({ benchmark: figure, measurement: measured })} (${seconds} s)`);
  for (const note of measured.notes ?? []) console.log(`  ${note}`);
}
if (values.quick || positionals.length > 0)
  console.log('Printed only: a whole run writes the table.');
else {
  await writeFile(REPORT, await formatReport());
  console.log(`Written to ${REPORT}`);
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
    process.exitCode = 1;
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

async function formatReport(): Promise<string> {
  const lines = [
    '# Benchmarks',
    '',
    'Written by `npm run bench`. Each figure is a ratio to its yardstick, measured in the same run on the',
    'same machine: both sides by turns, the first round is dropped, and the median of the others is quoted.',
    '',
    ...(await describeMachine()).map((line) => `- ${line}`),
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

/** What it ran on, and which program. */
async function describeMachine(): Promise<string[]> {
  const cores = cpus();
  const gigabytes = Math.round(totalmem() / 2 ** 30);
  const { packageVersion: version } = await locatePackagedBinaries();
  const commit = await runForOutput('git', ['-C', PROJECT, 'rev-parse', '--short', 'HEAD']);
  const changed =
    (await runForOutput('git', ['-C', PROJECT, 'status', '--porcelain', '--', 'src'])) !== '';
  return [
    `${cores.length} cores, ${cores[0]?.model.trim()}; ${gigabytes} GB of memory; ${process.platform} ${process.arch}`,
    `Node ${process.version}; PostgreSQL ${version}, the bundled one`,
    `commit ${commit}${changed ? ' and changes not committed' : ''}, ${new Date().toISOString().slice(0, 10)}`,
  ];
}

async function runForOutput(command: string, words: string[]): Promise<string> {
  return (await promisify(execFile)(command, words)).stdout.trim();
}
