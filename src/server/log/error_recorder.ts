import { stackFrames } from '#domain/text/stack_frames.ts';
import type { Instant } from '#domain/time/time.ts';
import { type Database, isDatabaseUnavailable } from '#server/database/connect.ts';
import {
  insertServerErrors,
  jobRoute,
  type ServerErrorRecord,
} from '#server/database/server_errors.ts';
import type { ErrorPlace } from '#server/operations/context.ts';
import { type SerializedError, serializeError } from './serialize_error.ts';

/** More errors within a second are not recorded: they are the same few, and the log counts them. */
const MAX_PER_SECOND = 5;
/** At most this many wait while the database is slow. */
const MAX_WAITING = 50;
/** In characters. */
const MAX_MESSAGE = 500;
const MAX_FRAMES = 15;

/**
 * Records errors in the database for the operator's page, after the answer and at most five a second. What
 * cannot be stored, as while the database is down, is dropped: the log has it.
 * @returns the function that records an error: it returns at once, and never throws
 */
export function createErrorRecorder(database: Database, clock: () => Instant = Date.now) {
  let waiting: ServerErrorRecord[] = [];
  let lastSecond = 0;
  let countInSecond = 0;
  let isStoring = false;

  async function storeWaiting(): Promise<void> {
    isStoring = true;
    while (waiting.length > 0) {
      const errors = waiting;
      waiting = [];
      // The log has the error, and that of the database too.
      await insertServerErrors(database, errors).catch(() => {});
    }
    isStoring = false;
  }

  return (error: unknown, place: ErrorPlace): void => {
    // An outage is in the log and the metrics. Its many errors would drive those of bugs out of the table.
    if (isDatabaseUnavailable(error)) return;
    const now = clock();
    const second = Math.floor(now / 1000);
    if (second !== lastSecond) countInSecond = 0;
    lastSecond = second;
    countInSecond += 1;
    if (countInSecond > MAX_PER_SECOND || waiting.length >= MAX_WAITING) return;
    waiting.push(toRecord(error, place, now));
    if (!isStoring) void storeWaiting();
  };
}

function toRecord(error: unknown, place: ErrorPlace, now: Instant): ServerErrorRecord {
  const serialized = serializeError(error);
  return {
    happenedAt: now,
    ...('queue' in place
      ? { requestId: null, route: jobRoute(place.queue), status: null }
      : { requestId: place.requestId, route: place.route, status: place.status }),
    name: serialized.type.slice(0, MAX_MESSAGE),
    code: serialized.code ?? serialized.cause?.code ?? null,
    message: messageOf(serialized).slice(0, MAX_MESSAGE),
    stack: stackFrames(serialized.stack ?? '')
      .slice(0, MAX_FRAMES)
      .join('\n'),
  };
}

/** The message of an error and of its cause. */
function messageOf({ message, code, cause }: SerializedError): string {
  const own = withoutValues(message, code);
  return cause === undefined ? own : `${own} ← ${cause.type}: ${messageOf(cause)}`;
}

/** A SQLSTATE. PostgreSQL's messages quote the names of tables and constraints, which help, so these stay. */
const SQLSTATE = /^(?=.*\d)[0-9A-Z]{5}$/;
/** As long as a phone number. */
const LONG_NUMBER = /\+?\d[\d ().-]{5,}\d/g;

/** Removes texts that a person may have typed: quoted text and long numbers. */
function withoutValues(message: string, code: string | undefined): string {
  const isFromPostgres = code !== undefined && SQLSTATE.test(code);
  const unquoted = isFromPostgres ? message : message.replace(/"[^"]*"/g, '"…"');
  // PostgreSQL stores no text with the character NUL.
  return unquoted.replace(LONG_NUMBER, '…').replaceAll('\0', '');
}
