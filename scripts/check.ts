// `npm run check`: types, pages, lint, imports between rooms, shadowed globals, limits of functions, translatable
// markup, unused code and features that older browsers do not have.
import { type MeasuredRun, runMeasured } from './run_measured.ts';

interface StepResult extends MeasuredRun {
  readonly step: string;
  readonly seconds: number;
}

/** The scripts of package.json to run. The two lanes run at the same time, the steps of a lane one after the other. */
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

/** Runs every step; prints the result of each, and the output of those that failed. */
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
