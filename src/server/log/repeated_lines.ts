/** Limits the log lines about an error that repeats, such as that of a database that is down. */
import type { LogFn, Logger } from 'pino';
import { serializeError } from './serialize_error.ts';

/** While an error lasts, it has one line in this time. */
const INTERVAL_MS = 10_000;
/** The lines of at most this many different errors are limited. More at once are very rare. */
const MAX_ERRORS = 1000;

/** An error that was logged within the last interval. */
interface RepeatingError {
  /** How often it has happened since its last line. */
  count: number;
  /** Writes a line with the count, in the place of the latest lines that were not written. */
  writeCount: () => void;
}

/**
 * Creates pino's hook `logMethod`. The first line about an error (`err`) is written at once, with the stack.
 * While the error repeats, one line in ten seconds has the `count` of those since, and no stack. After ten
 * seconds without the error, the next line is a first one again. Two errors are the same if their lines have
 * the same level and message; with a `route`, also the same route and the same error message.
 * Lines without an error are never limited.
 */
export function limitRepeats() {
  const repeating = new Map<string, RepeatingError>();

  function startInterval(key: string, error: RepeatingError): void {
    const timer = setTimeout(() => {
      if (error.count === 0) {
        repeating.delete(key);
        return;
      }
      error.writeCount();
      error.count = 0;
      startInterval(key, error);
    }, INTERVAL_MS);
    // The process may end before: the line would only add a count.
    timer.unref();
  }

  return function logMethod(
    this: Logger,
    line: Parameters<LogFn>,
    writeLine: LogFn,
    level: number,
  ): void {
    const [fields, message] = line;
    if (!hasError(fields)) {
      writeLine.apply(this, line);
      return;
    }
    const key = keyOf(fields, message, level);
    const known = repeating.get(key);
    if (!known) {
      writeLine.apply(this, line);
      if (repeating.size >= MAX_ERRORS) return;
      const error = { count: 0, writeCount: () => {} };
      repeating.set(key, error);
      startInterval(key, error);
      return;
    }
    const { err, ...others } = fields;
    known.count += 1;
    known.writeCount = () => {
      const error = serializeError(err).message;
      // The line is about several requests.
      const ids = { request_id: undefined, artist_id: undefined };
      writeLine.call(this, { ...others, ...ids, error, count: known.count }, message);
    };
  };
}

function hasError(fields: unknown): fields is { readonly err: unknown; readonly route?: unknown } {
  return typeof fields === 'object' && fields !== null && 'err' in fields;
}

function keyOf(
  { err, route }: { readonly err: unknown; readonly route?: unknown },
  message: unknown,
  level: number,
): string {
  return [
    level,
    message,
    ...(route === undefined ? [] : [route, serializeError(err).message]),
  ].join('\n');
}
