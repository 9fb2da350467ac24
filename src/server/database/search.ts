import { type RawBuilder, sql } from 'kysely';

/** A pattern for LIKE that finds the text anywhere, whatever signs it holds. */
export function toLikePattern(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`;
}

/** First and last name in one, as people write them. */
export function clientName(table: 'appointments' | 'clients'): RawBuilder<string> {
  return sql`concat_ws(' ', ${sql.ref(`${table}.first_name`)}, ${sql.ref(`${table}.last_name`)})`;
}
