/** The log of our processes: one line for each event, as text for people or as JSON for programs. */
import cluster from 'node:cluster';
import pino, { type DestinationStream, type Logger } from 'pino';
import { prettyFactory } from 'pino-pretty';
import { findRequest, requestFields } from '#server/http/request_context.ts';
import type { Config } from '#server/settings/config.ts';
import { limitRepeats } from './repeated_lines.ts';
import { hasMessage, serializeError } from './serialize_error.ts';

const STDOUT = 1;
/** How long a line about something ordinary waits for others, to be written with them. */
const MAX_WAIT_MS = 10;
/** The beginning of a line of JSON below the level `warn`. */
const ORDINARY = /^\{"level":"(?:trace|debug|info)"/;
/** In JSON, a line that pino-pretty must write: with an error, an escape, or a field that it shows elsewhere. */
const SPECIAL = /\\|"(?:err|error|type|stack|name|pid|hostname|caller|timestamp)":/;

/** What pino writes on each line, and other fields. */
interface PlainLine {
  readonly level: string;
  /** RFC 3339, in UTC. */
  readonly time: string;
  readonly component?: string;
  readonly msg?: string;
}

/**
 * Creates the log of a process. A line names the request that caused it, and the artist of the request
 * (`request_id`, `artist_id`). Lines about an error that repeats are limited (`limitRepeats`). Errors
 * lose personal data (`serializeError`); messages and other fields must not have any.
 * @param destination receives each line; unset, the standard output
 */
export function createLog(
  { format, level }: Config['log'],
  destination?: DestinationStream,
): Logger {
  const toLine = format === 'json' ? (json: string) => json : createTextFormat();
  const writeLine = destination ? (line: string) => destination.write(line) : openStandardOutput();
  return pino(
    {
      level,
      base: cluster.isWorker ? { worker: process.pid } : null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: serializeError },
      mixin: () => {
        const request = findRequest();
        return request ? requestFields(request) : {};
      },
      hooks: { logMethod: limitRepeats() },
    },
    { write: (json) => writeLine(toLine(json), !ORDINARY.test(json)) },
  );
}

/**
 * Writes the lines of a few milliseconds together: each write is a system call, which takes longer than all else
 * about a line. An urgent line is written at once, after those that wait, because the process may be about to crash.
 * Synchronous, so that the last lines before the process ends are not lost.
 */
function openStandardOutput(): (line: string, isUrgent: boolean) => void {
  const output = pino.destination({ fd: STDOUT, sync: true });
  // The reader of our output may be gone: nobody can be informed, and the server must go on.
  output.on('error', () => {});
  let waiting = '';
  const flush = () => {
    const lines = waiting;
    waiting = '';
    if (lines !== '') output.write(lines);
  };
  // Node emits it also after an uncaught error.
  process.on('exit', flush);
  return (line, isUrgent) => {
    if (waiting === '' && !isUrgent) setTimeout(flush, MAX_WAIT_MS);
    waiting += line;
    if (isUrgent) flush();
  };
}

/** @returns a function that turns a line of JSON into text for people */
function createTextFormat(): (json: string) => string {
  const colorize = process.stdout.isTTY === true;
  const toText = prettyFactory({
    colorize,
    translateTime: 'UTC:yyyy-mm-dd HH:MM:ss',
    ignore: 'component',
    // With the error's message, so that a search for a request's id finds it; its stack follows.
    messageFormat({ component, err, ...line }, messageKey) {
      const errorMessage = hasMessage(err) ? err.message : undefined;
      const parts = [component, line[messageKey], errorMessage];
      return parts.filter((part) => part !== undefined).join(': ');
    },
    singleLine: true,
  });
  const isPlain = (line: string) => !colorize && !SPECIAL.test(line);
  return (line) => (isPlain(line) ? toPlainText(line) : toText(line));
}

/** Writes a line as pino-pretty does, without colors and in a tenth of the time, which each request takes. */
function toPlainText(json: string): string {
  const { level, time, component, msg, ...fields }: PlainLine = JSON.parse(json);
  const parts = [component, msg].filter((part) => part !== undefined);
  const shownFields = Object.keys(fields).length > 0 ? ` ${JSON.stringify(fields)}` : '';
  const [date, clock] = [time.slice(0, 10), time.slice(11, 19)];
  return `[${date} ${clock}] ${level.toUpperCase()}: ${parts.join(': ')}${shownFields}\n`;
}
