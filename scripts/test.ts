// `npm test`: everything, closing with one line that counts the whole.
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { check } from './check.ts';

interface Count {
  readonly passed: number;
  readonly failed: number;
}

const reports = await mkdtemp(join(tmpdir(), 'linework-reports-'));
try {
  const counts = [await check(), await runVitest(), await runBrowser()];
  const passed = counts.reduce((sum, count) => sum + count.passed, 0);
  const failed = counts.reduce((sum, count) => sum + count.failed, 0);
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = failed > 0 ? 1 : 0;
} finally {
  await rm(reports, { recursive: true, force: true });
}

async function runVitest(): Promise<Count> {
  const file = join(reports, 'vitest.json');
  const json = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
  const code = await run('vitest', ['run', ...json]);
  const report = await readReport(file);
  return atLeastOneFailure(code, { passed: report.numPassedTests, failed: report.numFailedTests });
}

async function runBrowser(): Promise<Count> {
  const file = join(reports, 'browser.json');
  const code = await run(process.execPath, ['scripts/test_browser.ts'], {
    PLAYWRIGHT_JSON_OUTPUT_NAME: file,
  });
  const { stats } = await readReport(file);
  const { expected, unexpected, flaky } = stats ?? {};
  return atLeastOneFailure(code, { passed: expected, failed: Number(unexpected) + Number(flaky) });
}

/** A run that fails outside of its tests, or leaves no report, counts as one failure. */
function atLeastOneFailure(
  code: number,
  { passed, failed }: { passed: unknown; failed: unknown },
): Count {
  const count = { passed: Number(passed) || 0, failed: Number(failed) || 0 };
  return code !== 0 && count.failed === 0 ? { ...count, failed: 1 } : count;
}

function run(command: string, args: string[], environment = {}): Promise<number> {
  return new Promise((resolve, reject) => {
    const env = { ...process.env, ...environment };
    const child = spawn(command, args, { stdio: 'inherit', env });
    child.on('error', reject);
    child.on('close', (code) => resolve(code ?? 1));
  });
}

async function readReport(file: string) {
  return JSON.parse(await readFile(file, 'utf8').catch(() => '{}'));
}
