// `npm run bench`: every figure as a ratio to its yardstick in the same run, written to
// docs/benchmarks.md. `npm run bench -- <name …>` measures some and `--quick` less; both only print.
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';
import { resolve } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { locatePackagedBinaries } from '#server/database/bundled/program.ts';
import { buildIfChanged } from '../scripts/build.ts';
import { availabilityMonth } from './availability_month.ts';
import { cachedPage } from './cached_page.ts';
import { endAll } from './children.ts';
import { type Bound, type Figure, isReached, type Measured } from './figure.ts';
import { manyArtists } from './many_artists.ts';
import { memory } from './memory.ts';
import { monthOfSlots } from './month_of_slots.ts';
import { renderedPage } from './rendered_page.ts';
import { requestAndConfirm } from './request_and_confirm.ts';

const PROJECT = resolve(import.meta.dirname, '..');
const TABLE = resolve(PROJECT, 'docs/benchmarks.md');
const FIGURES: readonly Figure[] = [
  cachedPage,
  renderedPage,
  availabilityMonth,
  monthOfSlots,
  requestAndConfirm,
  memory,
  // Last, as it takes longest to fill.
  manyArtists,
];

interface Row {
  readonly figure: Figure;
  readonly measured: Measured;
}
/** A figure that could not be measured, and why. */
interface Failure {
  readonly figure: Figure;
  readonly why: string;
}

const { values, positionals } = parseArgs({
  options: { quick: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const unknown = positionals.filter((name) => !FIGURES.some((figure) => figure.name === name));
if (unknown.length > 0) {
  console.error(`There is no ${unknown.join(', ')}. There are:`);
  for (const { name, what } of FIGURES) console.error(`  ${name.padEnd(14)}${what}`);
  process.exit(1);
}

// Told to end, it still removes what it made.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, endAll);
buildIfChanged();

const chosen = FIGURES.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
const rows: Row[] = [];
const failures: Failure[] = [];
for (const figure of chosen) {
  console.log(`${figure.name}: ${figure.what} …`);
  const start = performance.now();
  const measured = await measure(figure);
  if (!measured) continue;
  rows.push({ figure, measured });
  const seconds = ((performance.now() - start) / 1000).toFixed(0);
  console.log(`  ${inWords({ figure, measured })} (${seconds} s)`);
  for (const note of measured.notes ?? []) console.log(`  ${note}`);
}
if (values.quick || positionals.length > 0)
  console.log('Printed only: a whole run writes the table.');
else {
  await writeFile(TABLE, await table());
  console.log(`Written to ${TABLE}`);
}

/** The others are measured, and told of, all the same. */
async function measure(figure: Figure): Promise<Measured | undefined> {
  try {
    return await figure.measure(values.quick ? 'quick' : 'full');
  } catch (error) {
    console.error(error);
    failures.push({ figure, why: error instanceof Error ? error.message : String(error) });
    process.exitCode = 1;
    return undefined;
  }
}

function inWords({ figure, measured }: Row): string {
  const verdict = isReached(measured.ratio, figure.toReach) ? '✓' : '✗';
  return `${verdict} ${measured.ratio.toFixed(2)} (${showBound(figure.toReach)}): ${measured.ours} against ${measured.yardstick}`;
}

function showBound(bound: Bound): string {
  return 'atLeast' in bound ? `at least ${bound.atLeast}` : `at most ${bound.atMost}`;
}

async function table(): Promise<string> {
  const lines = [
    '# Benchmarks',
    '',
    'Written by `npm run bench`. Each figure is a ratio to its yardstick, measured in the same run on the',
    'same machine: both sides by turns, the first round thrown away, the median of the rounds kept.',
    '',
    ...(await machine()).map((line) => `- ${line}`),
    '',
    '| Figure | Yardstick | Ours | Yardstick’s | Ratio | To reach | |',
    '|---|---|---|---|---|---|---|',
    ...rows.map(({ figure, measured }) => {
      const verdict = isReached(measured.ratio, figure.toReach) ? 'yes' : '**no**';
      return `| ${figure.what} | ${figure.yardstick} | ${measured.ours} | ${measured.yardstick} | ${measured.ratio.toFixed(2)} | ${showBound(figure.toReach)} | ${verdict} |`;
    }),
    ...failures.map(
      ({ figure, why }) =>
        `| ${figure.what} | ${figure.yardstick} | not measured: ${why.split('\n')[0]} | | | ${showBound(figure.toReach)} | **no** |`,
    ),
    '',
    '## How each is measured',
    '',
    ...rows.flatMap(({ figure, measured }) => [
      `- **${figure.name}**: ${figure.how}`,
      ...(measured.notes ?? []).map((note) => `  ${note}`),
    ]),
    '',
  ];
  return lines.join('\n');
}

/** What it ran on, and which program. */
async function machine(): Promise<string[]> {
  const cores = cpus();
  const gigabytes = Math.round(totalmem() / 2 ** 30);
  const { packageVersion: version } = await locatePackagedBinaries();
  const commit = await output('git', ['-C', PROJECT, 'rev-parse', '--short', 'HEAD']);
  const changed =
    (await output('git', ['-C', PROJECT, 'status', '--porcelain', '--', 'src'])) !== '';
  return [
    `${cores.length} cores, ${cores[0]?.model.trim()}; ${gigabytes} GB of memory; ${process.platform} ${process.arch}`,
    `Node ${process.version}; PostgreSQL ${version}, the bundled one`,
    `commit ${commit}${changed ? ' and changes not committed' : ''}, ${new Date().toISOString().slice(0, 10)}`,
  ];
}

async function output(command: string, words: string[]): Promise<string> {
  return (await promisify(execFile)(command, words)).stdout.trim();
}
