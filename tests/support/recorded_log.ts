import pino, { type Logger } from 'pino';
import { serializeError } from '#server/log/serialize_error.ts';

/** A log that writes nothing. */
export const silentLog: Logger = pino({ enabled: false });

/**
 * Creates a log that adds its lines to a list, such as `Jobs: The queue failed: Error: no answer`,
 * with the other fields as JSON and the stack below. Unlike `createLog`, it writes an error that
 * repeats each time. It leaves out the lines about requests (`request_log.ts`).
 */
export function recordLog(lines: string[]): Logger {
  const write = (json: string) => {
    const { level: _, component, msg, err, ...fields } = JSON.parse(json);
    if (component === 'Request') return;
    const text = [component, msg, err && `${err.type}: ${err.message}`].filter(Boolean).join(': ');
    const others = Object.keys(fields).length > 0 ? ` ${JSON.stringify(fields)}` : '';
    const stack = err?.stack ? `\n${err.stack.replace(/^(?! +at ).*\n?/gm, '')}` : '';
    lines.push(text + others + stack);
  };
  return pino({ base: null, timestamp: false, serializers: { err: serializeError } }, { write });
}
