// `npm run check`: types, pages, lint, imports between rooms, shadowed globals, limits of functions, translatable
// markup, unused code and what the build needs of browsers.
import { type MeasuredRun, runMeasured } from './run_measured.ts';

interface StepResult extends MeasuredRun {
  readonly step: string;
  readonly seconds: number;
}

/**
 * The steps, as `npm run check:…` runs each alone, in lanes that run side by side. Types are those of
 * pages and of all TypeScript: `astro check` reads both.
 */
const STEP_LANES = [
  ['check:types'],
  [
    'check:lint',
    'check:rooms',
    'check:names',
    'check:functions',
    'check:markup',
    'check:unused',
    'check:browsers',
  ],
];

/** Runs every step; prints what failed. */
export async function check() {
  const results = (await Promise.all(STEP_LANES.map(runSequentially))).flat();
  for (const { step, code, seconds, text } of results) {
    console.log(`${code === 0 ? '✓' : '✗'} ${step} (${Math.round(seconds)} s)`);
    if (code !== 0) console.log(text);
  }
  const failures = results.filter(({ code }) => code !== 0).map(({ step }) => step);
  const processorSeconds = results.reduce((sum, result) => sum + result.processorSeconds, 0);
  return { passed: results.length - failures.length, failures, processorSeconds };
}

async function runSequentially(steps: readonly string[]): Promise<StepResult[]> {
  const results: StepResult[] = [];
  for (const step of steps) results.push(await runStep(step));
  return results;
}

async function runStep(step: string): Promise<StepResult> {
  const began = performance.now();
  const run = await runMeasured('npm', ['run', '--silent', step], { output: 'return' });
  return { ...run, step, seconds: (performance.now() - began) / 1000 };
}

if (import.meta.main) {
  const { failures } = await check();
  process.exitCode = failures.length > 0 ? 1 : 0;
}
