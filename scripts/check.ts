// `npm run check`: types, pages, lint with the rooms, shadowed globals, translatable markup and unused code.
import './node_version.js';
import { spawn } from 'node:child_process';

interface StepResult {
  readonly step: string;
  readonly ok: boolean;
  readonly output: string;
}

/**
 * The steps, as `npm run check:…` runs each alone, in lanes that run side by side. Types are those of
 * pages and of all TypeScript: `astro check` reads both.
 */
const STEP_LANES = [['check:types'], ['check:lint', 'check:names', 'check:markup', 'check:unused']];

/** Runs every step; prints what failed. */
export async function check(): Promise<{ passed: number; failed: number; failures: string[] }> {
  const results = (await Promise.all(STEP_LANES.map(runSequentially))).flat();
  for (const { step, ok, output } of results) {
    console.log(`${ok ? '✓' : '✗'} ${step}`);
    if (!ok) console.log(output);
  }
  const failures = results.filter(({ ok }) => !ok).map(({ step }) => step);
  return { passed: results.length - failures.length, failed: failures.length, failures };
}

async function runSequentially(steps: readonly string[]): Promise<StepResult[]> {
  const results: StepResult[] = [];
  for (const step of steps) results.push(await runStep(step));
  return results;
}

function runStep(step: string): Promise<StepResult> {
  return new Promise((resolve, reject) => {
    const child = spawn('npm', ['run', '--silent', step], { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        output += String(chunk);
      });
    child.on('error', reject);
    child.on('close', (code) => resolve({ step, ok: code === 0, output }));
  });
}

if (import.meta.main) {
  const { failed } = await check();
  process.exitCode = failed > 0 ? 1 : 0;
}
