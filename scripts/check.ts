// `npm run check`: types, pages, lint and what nobody uses, side by side.
import { spawn } from 'node:child_process';

/** The steps, as `npm run check:…` runs each alone. */
const STEPS = ['check:types', 'check:astro', 'check:lint', 'check:unused'];

/** Runs every step; prints what failed. */
export async function check(): Promise<{ passed: number; failed: number }> {
  const results = await Promise.all(STEPS.map(run));
  for (const { step, ok, output } of results) {
    console.log(`${ok ? '✓' : '✗'} ${step}`);
    if (!ok) console.log(output);
  }
  const passed = results.filter(({ ok }) => ok).length;
  return { passed, failed: results.length - passed };
}

function run(step: string): Promise<{ step: string; ok: boolean; output: string }> {
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
