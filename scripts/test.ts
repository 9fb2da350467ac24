// `npm test`: everything but real processes under load and other hosts, which `npm run test:all`
// (`--all`) adds. Closes with the time of each part and one line that counts the whole.
import './node_version.js';
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { check } from './check.ts';

interface TestCounts {
  readonly passed: number;
  readonly failed: number;
  /** The names of those that failed. */
  readonly failures: readonly string[];
}
interface SuiteResult extends TestCounts {
  readonly name: string;
  readonly seconds: number;
}

/** The parts of the reports of Vitest and Playwright that are read here. */
interface VitestReport {
  readonly numPassedTests?: number;
  readonly numFailedTests?: number;
  readonly testResults?: readonly {
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
  }[];
}
interface PlaywrightSuite {
  readonly suites?: readonly PlaywrightSuite[];
  readonly specs?: readonly {
    readonly ok: boolean;
    readonly title: string;
    readonly file: string;
  }[];
}
interface PlaywrightReport extends PlaywrightSuite {
  readonly stats?: { readonly expected: number; readonly unexpected: number };
}

const isAll = process.argv.includes('--all');
/** Projects of Vitest that start servers as processes, and want the machine for themselves. */
const PROCESS_PROJECTS = ['load', 'hosts', 'abuse'];
/** Short runs with a fixed seed; `npm run test:fuzz` and `npm run test:faults` make long ones. */
const RANDOM_PROJECTS = ['fuzz', 'faults'];

const reports = await mkdtemp(join(tmpdir(), 'linework-reports-'));
try {
  // The checks print only at their end, and fill the time in which Vitest waits for PostgreSQL.
  const parts = await Promise.all([
    runTimed('check', check),
    runTimed('vitest', () =>
      runVitest([...PROCESS_PROJECTS, ...RANDOM_PROJECTS].map((name) => `!${name}`)),
    ),
  ]);
  parts.push(await runTimed('browser', () => runBrowser(isAll ? ['--all'] : [])));
  // Each worker starts several servers at once.
  if (isAll)
    parts.push(await runTimed('processes', () => runVitest(PROCESS_PROJECTS, ['--maxWorkers=2'])));
  // One after the other, because the first measures times.
  if (isAll)
    parts.push(await runTimed('random', () => runVitest(RANDOM_PROJECTS, ['--maxWorkers=1'])));
  const passed = parts.reduce((sum, part) => sum + part.passed, 0);
  const failed = parts.reduce((sum, part) => sum + part.failed, 0);
  // Repeated at the end: the failures themselves may be printed thousands of lines above.
  for (const name of parts.flatMap(({ failures }) => failures)) console.log(`✗ ${name}`);
  console.log(parts.map(({ name, seconds }) => `${name} ${Math.round(seconds)} s`).join(', '));
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = failed > 0 ? 1 : 0;
} finally {
  await rm(reports, { recursive: true, force: true });
}

async function runTimed(name: string, count: () => Promise<TestCounts>): Promise<SuiteResult> {
  const began = performance.now();
  return { ...(await count()), name, seconds: (performance.now() - began) / 1000 };
}

async function runVitest(
  projects: readonly string[],
  words: readonly string[] = [],
): Promise<TestCounts> {
  const file = join(reports, `vitest-${projects[0]}.json`);
  const json = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
  const chosen = projects.map((name) => `--project=${name}`);
  const code = await runCommand('vitest', ['run', ...chosen, ...words, ...json]);
  const report: VitestReport = await readReport(file);
  const tests = report.testResults?.flatMap(({ assertionResults }) => assertionResults) ?? [];
  return withRunFailure(code, 'vitest', {
    passed: report.numPassedTests ?? 0,
    failed: report.numFailedTests ?? 0,
    failures: tests.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName),
  });
}

async function runBrowser(words: readonly string[]): Promise<TestCounts> {
  const file = join(reports, 'browser.json');
  const code = await runCommand(process.execPath, ['scripts/test_browser.ts', ...words], {
    PLAYWRIGHT_JSON_OUTPUT_NAME: file,
  });
  const report: PlaywrightReport = await readReport(file);
  const { expected = 0, unexpected = 0 } = report.stats ?? {};
  return withRunFailure(code, 'browser', {
    passed: expected,
    failed: unexpected,
    failures: listFailures(report),
  });
}

function listFailures({ suites = [], specs = [] }: PlaywrightSuite): string[] {
  const own = specs.filter(({ ok }) => !ok).map(({ file, title }) => `${file}: ${title}`);
  return [...own, ...suites.flatMap(listFailures)];
}

/** A run that fails outside of its tests, or leaves no report, counts as one failure. */
function withRunFailure(code: number, run: string, count: TestCounts): TestCounts {
  if (code === 0 || count.failed > 0) return count;
  return { ...count, failed: 1, failures: [`${run} ended with ${code}`] };
}

function runCommand(command: string, args: string[], environment = {}): Promise<number> {
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
