import { type RawBuilder, sql } from 'kysely';

/** Returns a LIKE pattern that finds the text anywhere, with LIKE's special characters escaped. */
export function toLikePattern(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`;
}

/** Returns the SQL expression for the first and last name of a client, separated by a space. */
export function clientName(table: 'appointments' | 'clients'): RawBuilder<string> {
  return sql`concat_ws(' ', ${sql.ref(`${table}.first_name`)}, ${sql.ref(`${table}.last_name`)})`;
}
