/** Reads secrets from the files that settings such as `SECRET_KEY_FILE` name. */
import { closeSync, constants, openSync, readFileSync, readSync, statSync } from 'node:fs';
import { errorCode } from '#server/database/error_code.ts';
import { SECRETS, type Variables } from './settings.ts';

/** How long a secret may take that comes through a pipe, such as `<(…)` of the shell. */
const PIPE_TIMEOUT_MS = 10_000;
const PIPE_POLL_MS = 20;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL_CHARACTER = /[\x00-\x1f\x7f]/;

/** Why a file cannot be read: by Node's codes, and by two of our own. */
const FILE_ERRORS: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  EACCES: 'is closed to this user',
  EISDIR: 'is a folder',
  PIPE_TIMEOUT: 'is a pipe that gave no whole secret in time',
  PIPE_WORKERS: 'is a pipe, which only one process can read, and not WORKERS',
};

/**
 * Replaces settings such as `SECRET_KEY_FILE` by the secret in their file, without the line breaks at
 * its end.
 * @returns the settings that are not empty, and an error for each secret that cannot be read
 */
export function readSecretFiles(
  variables: Variables,
  pipeTimeoutMs = PIPE_TIMEOUT_MS,
): { values: Record<string, string>; fileErrors: ReadonlyMap<string, string> } {
  const values: Record<string, string> = {};
  for (const [name, value] of Object.entries(variables)) if (value) values[name] = value;
  const fileErrors = new Map<string, string>();
  for (const name of SECRETS) {
    const setting = `${name}_FILE`;
    const path = values[setting];
    if (path === undefined) continue;
    if (values[name] !== undefined) {
      fileErrors.set(name, `${name} and ${setting} are both set: remove one of them`);
      continue;
    }
    try {
      const isPipe = statSync(path).isFIFO();
      // Each worker reads the files again, and a pipe can be read once.
      if (isPipe && Number(variables['WORKERS']) > 1) throw pipeError('WORKERS');
      const text = isPipe ? readPipe(path, pipeTimeoutMs) : readFileSync(path, 'utf8');
      // Without a byte order mark.
      const secret = text.replace(/^\uFEFF/, '').replace(/[\r\n]+$/, '');
      if (CONTROL_CHARACTER.test(secret))
        fileErrors.set(name, `${setting} must be a file of one line of text: ${path} is not`);
      else if (secret !== '') values[name] = secret;
      else fileErrors.set(name, `${setting} names an empty file, ${path}: write the secret to it`);
    } catch (error) {
      const code = errorCode(error) ?? '';
      const reason = FILE_ERRORS[code] ?? `cannot be read (${code || error})`;
      fileErrors.set(name, `${setting} must be a file that this user may read: ${path} ${reason}`);
    }
  }
  return { values, fileErrors };
}

/**
 * Reads a pipe to its end. Polls, because an ordinary read would wait for a writer for ever.
 * @throws Error with the code `PIPE_TIMEOUT` when nobody writes to the pipe, or it does not end
 */
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
  throw pipeError('TIMEOUT');
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

function pipeError(reason: 'TIMEOUT' | 'WORKERS'): Error {
  return Object.assign(new Error('A pipe cannot be read'), { code: `PIPE_${reason}` });
}
