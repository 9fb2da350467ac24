// Bare `pg` running the statements of a booking again and again, each time for another slot.
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { type BookingRequest, runClients } from '../bookings.ts';
import type { Statement } from '../record_statements.ts';
import { handleTasks } from '../task_worker.ts';

export interface ReplayTask {
  readonly databaseUrl: string;
  readonly clients: number;
  readonly bookings: readonly BookingRequest[];
  /** What the server sent for one booking, in order, and for which. */
  readonly statements: readonly Statement[];
  readonly recordedFor: BookingRequest;
}

/** As many connections as the server has. */
const CONNECTIONS = 20;
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

let pool: pg.Pool | undefined;

handleTasks<ReplayTask, number>(
  async ({ databaseUrl, clients, bookings: wishes, statements, recordedFor }) => {
    pool ??= new pg.Pool({ connectionString: databaseUrl, max: CONNECTIONS });
    const connections = pool;
    const seconds = await runClients(clients, wishes, async (wish) => {
      const translate = createTranslator(recordedFor, wish);
      let transaction: pg.PoolClient | undefined;
      for (const { name, text, values, rows } of statements) {
        const config = { ...(name && { name }), text, values: values.map(translate.value) };
        if (text === 'begin') transaction = await connections.connect();
        // Without values it goes without a plan, as the server sends it.
        const answer = await (transaction ?? connections).query(
          values.length === 0 ? { text } : config,
        );
        translate.learn(rows, answer.rows);
        if (text !== 'commit') continue;
        transaction?.release();
        transaction = undefined;
      }
    });
    return wishes.length / seconds;
  },
);

/** Puts another booking in the place of the recorded one, wherever a value names it. */
function createTranslator(recorded: BookingRequest, wish: BookingRequest) {
  const words = new Map<string, string>([
    [recorded.email, wish.email],
    [recorded.idempotencyKey, wish.idempotencyKey],
    [recorded.serviceId, recorded.serviceId],
    ...instantFormats(recorded).map((text, index): [string, string] => [
      text,
      instantFormats(wish)[index] ?? text,
    ]),
  ]);
  const known = new Set(words.keys());
  const isKnown = new RegExp([...known].map((word) => word.replaceAll('.', '\\.')).join('|'), 'g');
  const text = (value: string) =>
    value
      .replace(isKnown, (word) => words.get(word) ?? word)
      .replace(UUID, (id) => {
        if ([...words.values()].includes(id)) return id;
        // What no answer has named yet was made by the server.
        const own = words.get(id) ?? randomUUID();
        words.set(id, own);
        return own;
      });
  const value = (given: unknown): unknown => {
    if (typeof given === 'string') return text(given);
    return Array.isArray(given) ? given.map(value) : given;
  };
  const learn = (before: unknown, now: unknown): void => {
    if (typeof before === 'string' && typeof now === 'string') {
      if (before.length === 36 && before.match(UUID)) words.set(before, now);
    } else if (typeof before === 'object' && before && typeof now === 'object' && now)
      for (const [key, inside] of Object.entries(before)) learn(inside, Reflect.get(now, key));
  };
  return { value, learn };
}

/** A booking's times in every way in which they are written. */
function instantFormats({ start, end }: BookingRequest): string[] {
  const [first, last] = [Date.parse(start), Date.parse(end) + 60_000];
  return [first, last].flatMap((instant) => [
    String(instant),
    new Date(instant).toISOString(),
    `${new Date(instant).toISOString().slice(0, 19)}Z`,
  ]);
}
