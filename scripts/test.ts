// `npm test`: the checks, the tests of Vitest without servers under load, and the journeys of the browser.
// `npm run test:all` (`--all`) adds the others. Ends with the seconds and processor seconds of each part,
// and one line that counts the whole.
import { chmod, mkdtemp, readFile, rm, statfs } from 'node:fs/promises';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';
import { check } from './check.ts';
import { ensureChromium } from './chromium.ts';
import { ENGINES, explainMissing } from './engines.ts';
import { type MeasuredRun, runMeasured } from './run_measured.ts';

interface TestCounts {
  readonly passed: number;
  /** The names of those that failed. */
  readonly failures: readonly string[];
  readonly processorSeconds: number;
}
interface SuiteResult extends TestCounts {
  readonly name: string;
  readonly seconds: number;
}

// The parts of the reports of Vitest and Playwright that are read here.
interface VitestReport {
  readonly numPassedTests?: number;
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
  readonly stats?: { readonly expected: number };
}

const isAll = process.argv.includes('--all');
/** Projects of Vitest that start servers as processes, and want the machine for themselves. */
const PROCESS_PROJECTS = ['load', 'hosts', 'abuse'];
/** Short runs with a fixed seed; `npm run test:fuzz` and `npm run test:faults` make long ones. */
const RANDOM_PROJECTS = ['fuzz', 'faults'];

/** The project of Vitest that tests other browsers than Chromium, too. */
const ENGINES_PROJECT = 'engines';
/** Whether a missing browser is a failure; else the tests run in the installed ones. */
const mustHaveEngines = process.env['LINEWORK_TEST_ENGINES'] === 'all';

/** The most that the tests have in files at any moment. */
const TEMPORARY_BYTES = 4 * 1024 ** 3;

const began = performance.now();
const folder = await createTemporaryFolder();
try {
  // Together, because the checks use the processor while Vitest waits for PostgreSQL. They print only at their end.
  const parts = await Promise.all([
    runTimed('check', check),
    runTimed('vitest', () =>
      runVitest(
        [...PROCESS_PROJECTS, ...RANDOM_PROJECTS, ENGINES_PROJECT].map((name) => `!${name}`),
      ),
    ),
  ]);
  parts.push(await runTimed('browser', () => runBrowser(isAll ? ['--all'] : [])));
  if (isAll) {
    parts.push(await runTimed('engines', runEngines));
    // Three at a time, because they mostly wait: for servers to start, for mails, for timeouts.
    parts.push(await runTimed('processes', () => runVitest(PROCESS_PROJECTS, ['--maxWorkers=3'])));
    // One at a time, because the first project measures times.
    parts.push(await runTimed('random', () => runVitest(RANDOM_PROJECTS, ['--maxWorkers=1'])));
  }
  const failures = parts.flatMap((part) => part.failures);
  const passed = parts.reduce((sum, part) => sum + part.passed, 0);
  // Repeated at the end: the failures themselves may be printed thousands of lines above.
  for (const name of failures) console.log(`✗ ${name}`);
  for (const { name, seconds, processorSeconds } of parts)
    console.log(
      `${name}: ${Math.round(seconds)} s, ${Math.round(processorSeconds)} s of processor time`,
    );
  console.log(`${Math.round((performance.now() - began) / 1000)} s in all`);
  if (isAll) for (const line of listMissingEngines()) console.log(line);
  console.log(`${passed} passed, ${failures.length} failed`);
  process.exitCode = failures.length > 0 ? 1 : 0;
} finally {
  await rm(folder, { recursive: true, force: true });
}

/** The folder for all files of the tests: in memory if there is enough (Linux), since databases are copied often. */
async function createTemporaryFolder(): Promise<string> {
  const memory = await statfs('/dev/shm').catch(() => undefined);
  const free = memory ? Math.min(memory.bavail * memory.bsize, freemem() / 2) : 0;
  const mounts = await readFile('/proc/mounts', 'utf8').catch(() => '');
  // Varnish runs programs that it has compiled into this folder.
  const isUsable = free > TEMPORARY_BYTES && !/ \/dev\/shm \S+ \S*noexec/.test(mounts);
  const created = await mkdtemp(join(isUsable ? '/dev/shm' : tmpdir(), 'linework-'));
  // The database's own user must enter it when the tests run as root.
  await chmod(created, 0o755);
  return created;
}

async function runTimed(name: string, count: () => Promise<TestCounts>): Promise<SuiteResult> {
  const began = performance.now();
  return { ...(await count()), name, seconds: (performance.now() - began) / 1000 };
}

async function runVitest(
  projects: readonly string[],
  words: readonly string[] = [],
): Promise<TestCounts> {
  const file = join(folder, `vitest-${projects[0]}.json`);
  const json = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
  const chosen = projects.map((name) => `--project=${name}`);
  const run = await runMeasured('vitest', ['run', ...chosen, ...words, ...json], {
    output: 'inherit',
    env: { TMPDIR: folder },
  });
  const report: VitestReport = await readReport(file);
  const tests = report.testResults?.flatMap(({ assertionResults }) => assertionResults) ?? [];
  const failed = tests.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName);
  return countTests(run, 'vitest', report.numPassedTests ?? 0, failed);
}

async function runEngines(): Promise<TestCounts> {
  ensureChromium();
  const files = Object.entries(ENGINES)
    .filter(([, programs]) => explainMissing(programs) === undefined)
    .map(([engine]) => `tests/engines/${engine}.test.ts`);
  // Two at a time, because each browser keeps a core busy.
  const counts = await runVitest([ENGINES_PROJECT], ['--maxWorkers=2', ...files]);
  const missing = mustHaveEngines ? listMissingEngines() : [];
  return { ...counts, failures: [...counts.failures, ...missing] };
}

function listMissingEngines(): readonly string[] {
  return Object.entries(ENGINES).flatMap(([engine, programs]) => {
    const missing = explainMissing(programs);
    return missing === undefined ? [] : [`Not tested in ${engine}. ${missing}`];
  });
}

async function runBrowser(words: readonly string[]): Promise<TestCounts> {
  const file = join(folder, 'browser.json');
  const run = await runMeasured(process.execPath, ['scripts/test_browser.ts', ...words], {
    output: 'inherit',
    env: { PLAYWRIGHT_JSON_OUTPUT_NAME: file, TMPDIR: folder },
  });
  const report: PlaywrightReport = await readReport(file);
  return countTests(run, 'browser', report.stats?.expected ?? 0, listFailures(report));
}

function listFailures({ suites = [], specs = [] }: PlaywrightSuite): string[] {
  const own = specs.filter(({ ok }) => !ok).map(({ file, title }) => `${file}: ${title}`);
  return [...own, ...suites.flatMap(listFailures)];
}

/** A run that fails outside of its tests, or leaves no report, counts as one failure. */
function countTests(
  { code, processorSeconds }: MeasuredRun,
  name: string,
  passed: number,
  failed: readonly string[],
): TestCounts {
  const isBroken = code !== 0 && failed.length === 0;
  return { passed, failures: isBroken ? [`${name} ended with ${code}`] : failed, processorSeconds };
}

async function readReport(file: string) {
  return JSON.parse(await readFile(file, 'utf8').catch(() => '{}'));
}
