import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as z from 'zod/mini';
import { errorCode } from '#server/database/error_code.ts';
import type { Measurement } from './benchmark.ts';
import { cpuSeconds, formatPercent } from './cpu_usage.ts';
import { getRaw } from './raw_http.ts';
import { measureAlternately, median, medianRatio } from './rounds.ts';

const runCommand = promisify(execFile);

/** What clients do for some seconds, each on a connection of its own, without a pause. */
export interface LoadOptions {
  readonly url: string;
  /** The process that answers. */
  readonly pid: number;
  readonly connections: number;
  readonly seconds: number;
  readonly headers?: Readonly<Record<string, string>>;
}

interface LoadResult {
  readonly answers: number;
  readonly perSecond: number;
  /** Answers for each second of processor that the answering process used. */
  readonly perCpuSecond: number;
  /** Bytes of an answer, its headers included. */
  readonly responseBytes: number;
  /** How much of a core the client used. */
  readonly clientCpuShare: number;
}

const WrkSummary = z.object({
  answers: z.number(),
  microseconds: z.number(),
  bytes: z.number(),
  failures: z.number(),
  processorSeconds: z.number(),
});

/** Loads both servers by turns; the ratio is that of answers per second. */
export async function compareUnderLoad(
  rounds: number,
  ours: LoadOptions,
  yardstick: LoadOptions,
): Promise<Measurement> {
  await installWrk();
  const answered: { ours: LoadResult[]; yardstick: LoadResult[] } = { ours: [], yardstick: [] };
  const measure = async (load: LoadOptions, into: LoadResult[]) => {
    const one = await runLoad(load);
    into.push(one);
    return one.perSecond;
  };
  const measured = await measureAlternately(
    rounds,
    () => measure(ours, answered.ours),
    () => measure(yardstick, answered.yardstick),
  );
  // The first round only warms up, as in `measureAlternately`.
  const middle = (side: readonly LoadResult[], what: keyof LoadResult) =>
    median(side.slice(1).map((one) => one[what]));
  const sides = [answered.ours, answered.yardstick];
  const [own = 0, other = 0] = sides.map((side) => middle(side, 'perCpuSecond'));
  const [ownShare, otherShare] = sides.map((side) => formatPercent(middle(side, 'clientCpuShare')));
  const [bytes, otherBytes] = sides.map((side) => middle(side, 'responseBytes').toFixed(0));
  return {
    ratio: medianRatio(measured),
    ours: `${median(measured.ours).toFixed(0)}/s`,
    baseline: `${median(measured.baseline).toFixed(0)}/s`,
    notes: [
      `Answers for each second of the server’s processor: ${own.toFixed(0)} against ${other.toFixed(0)}, a ratio of ${(own / other).toFixed(2)}.`,
      `An answer has ${bytes} bytes, the yardstick’s ${otherBytes}. wrk used ${ownShare} of a core for ours, ${otherShare} for the yardstick.`,
    ],
  };
}

/** @throws Error when any answer failed */
export async function runLoad(load: LoadOptions): Promise<LoadResult> {
  const { url, pid, connections, seconds, headers = {} } = load;
  // wrk takes a redirect for an answer like any other.
  const { status } = await getRaw(url, headers);
  if (status !== 200) throw new Error(`${url} is answered ${status}`);
  const before = await cpuSeconds(pid);
  const { stdout } = await runCommand('wrk', [
    ...['--threads', '1', '--connections', String(connections), '--duration', `${seconds}s`],
    ...['--timeout', '10s', '--script', join(import.meta.dirname, 'load.lua')],
    ...Object.entries(headers).flatMap(([name, value]) => ['--header', `${name}: ${value}`]),
    url,
  ]);
  const used = (await cpuSeconds(pid)) - before;
  const [, json = '{}'] = /^SUMMARY (.*)$/m.exec(stdout) ?? [];
  const summary = WrkSummary.parse(JSON.parse(json));
  const { answers, failures } = summary;
  if (answers === 0 || failures > 0)
    throw new Error(`${url}: ${failures} of ${answers} answers failed`);
  const lasted = summary.microseconds / 1_000_000;
  return {
    answers,
    perSecond: answers / lasted,
    perCpuSecond: answers / used,
    responseBytes: summary.bytes / answers,
    clientCpuShare: summary.processorSeconds / lasted,
  };
}

/** Installs wrk where it is missing and the system has apt. */
export async function installWrk(): Promise<void> {
  if (await isWrkInstalled()) return;
  console.log('  Installing wrk …');
  const asRoot = process.getuid?.() === 0 ? [] : ['sudo'];
  try {
    for (const words of [['update'], ['install', '--yes', '--no-install-recommends', 'wrk']]) {
      const [command = '', ...rest] = [...asRoot, 'apt-get', ...words];
      await runCommand(command, rest);
    }
  } catch (cause) {
    throw new Error('wrk is missing and could not be installed: run `apt-get install wrk`.', {
      cause,
    });
  }
}

async function isWrkInstalled(): Promise<boolean> {
  try {
    await runCommand('wrk', ['--version']);
    return true;
  } catch (error) {
    // It ends with 1 after telling its version.
    return errorCode(error) !== 'ENOENT';
  }
}
