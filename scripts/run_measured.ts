import { type StdioOptions, spawn } from 'node:child_process';

export interface MeasuredRun {
  /** The exit code; 1 if a signal ended the command. */
  readonly code: number;
  /** The time that processors spent on the command and on the processes that it waited for. */
  readonly processorSeconds: number;
  /** The text that the command wrote; '' with `output: 'inherit'`. */
  readonly text: string;
}

/** `times` of the shell writes two lines with the user and system time: its own, and those of its children. */
const SHELL_SCRIPT = '"$@"; code=$?; times >&3; exit $code';

/** Runs a command and measures its processor time, which Node measures only for itself. */
export function runMeasured(
  command: string,
  words: readonly string[],
  { output, env = {} }: { output: 'inherit' | 'return'; env?: Readonly<Record<string, string>> },
): Promise<MeasuredRun> {
  return new Promise((resolve, reject) => {
    const stream = output === 'inherit' ? 'inherit' : 'pipe';
    const stdio: StdioOptions = ['ignore', stream, stream, 'pipe'];
    const child = spawn('sh', ['-c', SHELL_SCRIPT, 'sh', command, ...words], {
      stdio,
      env: { ...process.env, ...env },
    });
    const texts = { output: '', times: '' };
    for (const part of [child.stdout, child.stderr])
      part?.on('data', (chunk) => {
        texts.output += String(chunk);
      });
    child.stdio[3]?.on('data', (chunk) => {
      texts.times += String(chunk);
    });
    child.on('error', reject);
    child.on('close', (code) =>
      resolve({
        code: code ?? 1,
        processorSeconds: readSeconds(texts.times.split('\n')[1] ?? ''),
        text: texts.output,
      }),
    );
  });
}

/** The sum of times such as `1m2.5s`. */
function readSeconds(line: string): number {
  const times = [...line.matchAll(/(\d+)m([\d.]+)s/g)];
  return times.reduce(
    (sum, [, minutes, seconds]) => sum + Number(minutes) * 60 + Number(seconds),
    0,
  );
}
