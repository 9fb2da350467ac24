/** The log of our processes: one line for each event, as text for people or as JSON for programs. */
import cluster from 'node:cluster';
import pino, { type DestinationStream, type Logger } from 'pino';
import { prettyFactory } from 'pino-pretty';
import { findRequest, requestFields } from '#server/http/request_context.ts';
import type { Config } from '#server/settings/config.ts';
import { limitRepeats } from './repeated_lines.ts';
import { hasMessage, serializeError } from './serialize_error.ts';

const STDOUT = 1;

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
  const output = destination ?? openStandardOutput();
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
    format === 'json' ? output : createTextStream(output),
  );
}

/** Synchronous, so that the last lines before the process ends are not lost. */
function openStandardOutput(): DestinationStream {
  const output = pino.destination({ fd: STDOUT, sync: true });
  // The reader of our output may be gone: nobody can be informed, and the server must go on.
  output.on('error', () => {});
  return output;
}

function createTextStream(output: DestinationStream): DestinationStream {
  const toText = prettyFactory({
    colorize: process.stdout.isTTY === true,
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
  return { write: (line) => output.write(toText(line)) };
}
