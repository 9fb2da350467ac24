// `npm test`: everything, closing with one line that counts the whole.
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { check } from './check.ts';

interface Count {
  readonly passed: number;
  readonly failed: number;
  /** The names of those that failed. */
  readonly failures: readonly string[];
  /** The names of those that passed at the second try. */
  readonly repeated?: readonly string[];
}

/** What Vitest and Playwright write of a run, as far as it is read here. */
interface VitestReport {
  readonly numPassedTests?: number;
  readonly numFailedTests?: number;
  readonly testResults?: readonly {
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
  }[];
}
interface Suite {
  readonly suites?: readonly Suite[];
  readonly specs?: readonly {
    readonly ok: boolean;
    readonly title: string;
    readonly tests: readonly { readonly status: string }[];
  }[];
}
interface BrowserReport extends Suite {
  readonly stats?: {
    readonly expected: number;
    readonly unexpected: number;
    readonly flaky: number;
  };
}

const reports = await mkdtemp(join(tmpdir(), 'linework-reports-'));
try {
  const counts: readonly Count[] = [await check(), await runVitest(), await runBrowser()];
  const passed = counts.reduce((sum, count) => sum + count.passed, 0);
  const failed = counts.reduce((sum, count) => sum + count.failed, 0);
  // Once more at the end: what was printed of them may be thousands of lines above.
  for (const name of counts.flatMap(({ repeated = [] }) => repeated))
    console.log(`↻ ${name} (passed at the second try: look into it)`);
  for (const name of counts.flatMap(({ failures }) => failures)) console.log(`✗ ${name}`);
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = failed > 0 ? 1 : 0;
} finally {
  await rm(reports, { recursive: true, force: true });
}

async function runVitest(): Promise<Count> {
  const file = join(reports, 'vitest.json');
  const json = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
  const code = await run('vitest', ['run', ...json]);
  const report: VitestReport = await readReport(file);
  const tests = report.testResults?.flatMap(({ assertionResults }) => assertionResults) ?? [];
  return atLeastOneFailure(code, 'vitest', {
    passed: report.numPassedTests ?? 0,
    failed: report.numFailedTests ?? 0,
    failures: tests.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName),
  });
}

async function runBrowser(): Promise<Count> {
  const file = join(reports, 'browser.json');
  const code = await run(process.execPath, ['scripts/test_browser.ts'], {
    PLAYWRIGHT_JSON_OUTPUT_NAME: file,
  });
  const report: BrowserReport = await readReport(file);
  const { expected = 0, unexpected = 0, flaky = 0 } = report.stats ?? {};
  const count = {
    passed: expected + flaky,
    failed: unexpected,
    failures: namesOf(report, ({ ok }) => !ok),
    repeated: namesOf(report, ({ tests }) => tests.some(({ status }) => status === 'flaky')),
  };
  return atLeastOneFailure(code, 'browser', count);
}

type Spec = NonNullable<Suite['specs']>[number];

function namesOf({ suites = [], specs = [] }: Suite, isMeant: (spec: Spec) => boolean): string[] {
  const own = specs.filter(isMeant).map(({ title }) => title);
  return [...own, ...suites.flatMap((suite) => namesOf(suite, isMeant))];
}

/** A run that fails outside of its tests, or leaves no report, counts as one failure. */
function atLeastOneFailure(code: number, run: string, count: Count): Count {
  if (code === 0 || count.failed > 0) return count;
  return { ...count, failed: 1, failures: [`${run} ended with ${code}`] };
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
