import { type RawBuilder, sql } from 'kysely';
import type { Instant } from '#domain/time.ts';

/** A time as an instant (milliseconds since 1970; `epoch` is seconds), also in JSON. */
export function epochMs<T extends Instant | null = Instant>(time: RawBuilder<unknown>) {
  return sql<T>`(extract(epoch FROM ${time}) * 1000)::float8`;
}
