import { type RawBuilder, sql } from 'kysely';
import type { Instant } from '#domain/time/time.ts';

/** A `timestamptz` as an instant, in whole milliseconds since 1970 (`epoch` is in seconds), also in JSON. */
export function epochMs<T extends Instant | null = Instant>(time: RawBuilder<unknown>) {
  return sql<T>`floor(extract(epoch FROM ${time}) * 1000)::float8`;
}
