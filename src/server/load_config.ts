import { closeSync, constants, openSync, readFileSync, readSync, statSync } from 'node:fs';
import {
  type Config,
  PIPE_TIMEOUT,
  PIPE_WITH_WORKERS,
  readConfig,
  type Variables,
} from './config.ts';
import { errorCode } from './database/error_code.ts';

/** How long a secret may take that comes through a pipe, such as `<(…)` of the shell. */
const PIPE_TIMEOUT_MS = 10_000;
const PIPE_POLL_MS = 20;

/**
 * Reads the settings of this process, and the files of secrets that they name.
 * @throws ConfigError that names every invalid setting
 */
export function loadConfig(variables: Variables = process.env): Config {
  // Each worker reads the files again, and a pipe can be read once.
  const hasWorkers = Number(variables['WORKERS']) > 1;
  return readConfig(variables, (path) => {
    if (hasWorkers && statSync(path).isFIFO())
      throw Object.assign(new Error(`${path} is a pipe`), { code: PIPE_WITH_WORKERS });
    return readSecretFile(path);
  });
}

/**
 * Reads the file that a setting such as `SECRET_KEY_FILE` names.
 * @throws Error with the code `PIPE_TIMEOUT` when it is a pipe that nobody writes to, or that does not end
 */
export function readSecretFile(path: string, timeoutMs = PIPE_TIMEOUT_MS): string {
  return statSync(path).isFIFO() ? readPipe(path, timeoutMs) : readFileSync(path, 'utf8');
}

/** Polls, because an ordinary read would wait for a writer for ever. */
function readPipe(path: string, timeoutMs: number): string {
  const deadline = performance.now() + timeoutMs;
  const pipe = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const chunks: Buffer[] = [];
    while (performance.now() < deadline) {
      const chunk = readChunk(pipe);
      if (chunk !== undefined && chunk.length > 0) chunks.push(chunk);
      // Without a writer a pipe is at its end too: one may come yet.
      else if (chunk !== undefined && chunks.length > 0) return Buffer.concat(chunks).toString();
      else sleepSync(PIPE_POLL_MS);
    }
  } finally {
    closeSync(pipe);
  }
  throw Object.assign(new Error(`${path} did not end in time`), { code: PIPE_TIMEOUT });
}

/** Undefined while a writer has the pipe open and writes nothing. */
function readChunk(pipe: number): Buffer | undefined {
  const buffer = Buffer.alloc(4096);
  try {
    return buffer.subarray(0, readSync(pipe, buffer));
  } catch (error) {
    if (errorCode(error) === 'EAGAIN') return undefined;
    throw error;
  }
}

function sleepSync(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}
