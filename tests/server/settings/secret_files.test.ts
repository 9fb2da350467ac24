import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { readConfig } from '#server/settings/config.ts';
import { openFolder } from '#support/folder.ts';

const SECRET = 'a secret that only tests know';

let pipe: string;
beforeEach(async () => {
  pipe = join(await openFolder(), 'pipe');
  execFileSync('mkfifo', [pipe]);
});

/** The settings with the secret of the pipe. */
const readWithPipe = (timeoutMs: number) => readConfig({ SECRET_KEY_FILE: pipe }, timeoutMs);

/** Runs a line of the shell beside this process. */
function runBeside(line: string) {
  const child = spawn('sh', ['-c', line], { stdio: ['pipe', 'ignore', 'inherit'] });
  onTestFinished(() => {
    child.kill();
  });
  return child;
}

test('a pipe as the file of a secret is read to its end, also if its writer comes later and pauses', async () => {
  const writer = runBeside(
    `sleep 0.2; { printf 'a secret'; sleep 0.2; echo ' that only tests know'; } > '${pipe}'`,
  );
  expect(readWithPipe(10_000).secretKey).toBe(SECRET);
  await once(writer, 'exit');
});

test('the output of a command is read with <(…) of the shell', async () => {
  const script =
    "import('./src/server/settings/config.ts').then((m) => console.log(m.readConfig(process.env).secretKey))";
  const line = `SECRET_KEY_FILE=<(sleep 0.2; echo '${SECRET}') exec "$0" -e "$1"`;
  const { stdout } = await promisify(execFile)('bash', ['-c', line, process.execPath, script]);
  expect(stdout).toBe(`${SECRET}\n`);
});

test('a pipe that nobody writes to, or that does not end, is refused by the name of its setting', () => {
  const refusal = `SECRET_KEY_FILE must be a file that this user may read: ${pipe} is a pipe that gave no whole secret in time`;
  expect(() => readWithPipe(50)).toThrow(refusal);
  // Open for writing too, so that the pipe has a writer who does not end.
  const writer = openSync(pipe, 'r+');
  writeSync(writer, 'half');
  expect(() => readWithPipe(50)).toThrow(refusal);
  closeSync(writer);
});

test('a pipe is refused with WORKERS, because each of them would read it', () => {
  expect(() => readConfig({ SECRET_KEY_FILE: pipe, WORKERS: '2' })).toThrow(
    `SECRET_KEY_FILE must be a file that this user may read: ${pipe} is a pipe, which only one process can read, and not WORKERS`,
  );
});
