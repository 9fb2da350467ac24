import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as z from 'zod/mini';
import { errorCode } from '#server/database/connect.ts';
import { percent, processorSeconds } from './busy.ts';
import type { Measured } from './figure.ts';
import { ask } from './raw.ts';
import { byTurns, median, ratioOf } from './rounds.ts';

const run = promisify(execFile);

/** What clients do for some seconds, each on a connection of its own, without a pause. */
export interface Load {
  readonly url: string;
  /** The process that answers. */
  readonly pid: number;
  readonly connections: number;
  readonly seconds: number;
  readonly headers?: Readonly<Record<string, string>>;
}

interface Answered {
  readonly perSecond: number;
  /** Answers for each second of processor that the answering process used. */
  readonly perProcessorSecond: number;
  /** Bytes of an answer, its headers included. */
  readonly bytesEach: number;
  /** How much of a core the client used. */
  readonly clientShare: number;
}

const Summary = z.object({
  answers: z.number(),
  microseconds: z.number(),
  bytes: z.number(),
  failures: z.number(),
  processorSeconds: z.number(),
});

/** Loads both servers by turns; the ratio is that of answers per second. */
export async function compareUnderLoad(
  rounds: number,
  ours: Load,
  yardstick: Load,
): Promise<Measured> {
  await installWrk();
  const answered: { ours: Answered[]; yardstick: Answered[] } = { ours: [], yardstick: [] };
  const measure = async (load: Load, into: Answered[]) => {
    const one = await putUnderLoad(load);
    into.push(one);
    return one.perSecond;
  };
  const measured = await byTurns(
    rounds,
    () => measure(ours, answered.ours),
    () => measure(yardstick, answered.yardstick),
  );
  // The first round only warms up, as in `byTurns`.
  const middle = (side: readonly Answered[], what: keyof Answered) =>
    median(side.slice(1).map((one) => one[what]));
  const sides = [answered.ours, answered.yardstick];
  const [own = 0, other = 0] = sides.map((side) => middle(side, 'perProcessorSecond'));
  const [ownShare, otherShare] = sides.map((side) => percent(middle(side, 'clientShare')));
  const [bytes, otherBytes] = sides.map((side) => middle(side, 'bytesEach').toFixed(0));
  return {
    ratio: ratioOf(measured),
    ours: `${median(measured.ours).toFixed(0)}/s`,
    yardstick: `${median(measured.yardstick).toFixed(0)}/s`,
    notes: [
      `Answers for each second of the server’s processor: ${own.toFixed(0)} against ${other.toFixed(0)}, a ratio of ${(own / other).toFixed(2)}.`,
      `An answer has ${bytes} bytes, the yardstick’s ${otherBytes}. wrk used ${ownShare} of a core for ours, ${otherShare} for the yardstick.`,
    ],
  };
}

/** @throws Error when any answer failed */
async function putUnderLoad(load: Load): Promise<Answered> {
  const { url, pid, connections, seconds, headers = {} } = load;
  // wrk takes a redirect for an answer like any other.
  const { status } = await ask(url, headers);
  if (status !== 200) throw new Error(`${url} is answered ${status}`);
  const before = await processorSeconds(pid);
  const { stdout } = await run('wrk', [
    ...['--threads', '1', '--connections', String(connections), '--duration', `${seconds}s`],
    ...['--timeout', '10s', '--script', join(import.meta.dirname, 'load.lua')],
    ...Object.entries(headers).flatMap(([name, value]) => ['--header', `${name}: ${value}`]),
    url,
  ]);
  const used = (await processorSeconds(pid)) - before;
  const [, json = '{}'] = /^SUMMARY (.*)$/m.exec(stdout) ?? [];
  const summary = Summary.parse(JSON.parse(json));
  const { answers, failures } = summary;
  if (answers === 0 || failures > 0)
    throw new Error(`${url}: ${failures} of ${answers} answers failed`);
  const lasted = summary.microseconds / 1_000_000;
  return {
    perSecond: answers / lasted,
    perProcessorSecond: answers / used,
    bytesEach: summary.bytes / answers,
    clientShare: summary.processorSeconds / lasted,
  };
}

/** Installs wrk where it is missing and the system has apt. */
async function installWrk(): Promise<void> {
  if (await isInstalled()) return;
  console.log('  Installing wrk …');
  const asRoot = process.getuid?.() === 0 ? [] : ['sudo'];
  try {
    for (const words of [['update'], ['install', '--yes', '--no-install-recommends', 'wrk']]) {
      const [command = '', ...rest] = [...asRoot, 'apt-get', ...words];
      await run(command, rest);
    }
  } catch (cause) {
    throw new Error('wrk is missing and could not be installed: run `apt-get install wrk`.', {
      cause,
    });
  }
}

async function isInstalled(): Promise<boolean> {
  try {
    await run('wrk', ['--version']);
    return true;
  } catch (error) {
    // It ends with 1 after telling its version.
    return errorCode(error) !== 'ENOENT';
  }
}
