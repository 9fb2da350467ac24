// Bare `pg` running the queries of a booking again and again, each time for another slot.
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { type BookingRequest, runClients } from '../bookings.ts';
import type { Query } from '../record_statements.ts';
import { handleTasks } from '../task_worker.ts';

export interface ReplayTask {
  readonly databaseUrl: string;
  readonly clients: number;
  readonly bookings: readonly BookingRequest[];
  /** What the server sent for one booking, in order, and for which. */
  readonly queries: readonly Query[];
  readonly recordedFor: BookingRequest;
}

/** As many connections as the server has. */
const CONNECTIONS = 20;
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

let pool: pg.Pool | undefined;

handleTasks<ReplayTask, number>(
  async ({ databaseUrl, clients, bookings: wishes, queries, recordedFor }) => {
    pool ??= new pg.Pool({ connectionString: databaseUrl, max: CONNECTIONS });
    const connections = pool;
    const batches = [...Map.groupBy(queries, ({ batch }) => batch).values()];
    const seconds = await runClients(clients, wishes, async (wish) => {
      const translator = createTranslator(recordedFor, wish);
      /** The connections in use, by the number of the recorded one. */
      const held = new Map<number, pg.PoolClient>();
      for (const batch of batches) await replayBatch(batch, connections, held, translator);
    });
    return wishes.length / seconds;
  },
);

/** Sends the queries, then waits for all answers. A connection is kept until its transaction has ended. */
async function replayBatch(
  batch: readonly Query[],
  pool: pg.Pool,
  held: Map<number, pg.PoolClient>,
  translator: ReturnType<typeof createTranslator>,
): Promise<void> {
  const answers: Promise<unknown>[] = [];
  for (const { name, text, values, connection } of batch) {
    const client = held.get(connection) ?? (await pool.connect());
    held.set(connection, client);
    // Without values it goes without a plan, as the server sends it, and may have values in its text.
    const query =
      values.length === 0
        ? { text: translator.text(text) }
        : { ...(name && { name }), text, values: values.map(translator.value) };
    answers.push(client.query(query));
  }
  for (const [index, answer] of (await Promise.all(answers)).entries())
    translator.learn(batch[index]?.rows, rowsOf(answer));
  const isOpen = new Map(batch.map((query) => [query.connection, query.isInTransaction]));
  for (const [connection, isInTransaction] of isOpen) {
    if (isInTransaction) continue;
    held.get(connection)?.release();
    held.delete(connection);
  }
}

function rowsOf(answer: unknown): unknown {
  return Array.isArray(answer) ? answer.map(rowsOf) : Object(answer).rows;
}

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
  return { text, value, learn };
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
