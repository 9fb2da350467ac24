import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { phoneSearchParts } from '#domain/clients/phone.ts';
import { toEmail } from '#domain/mail/email.ts';

/** Returns the SQL condition that a name, email or phone number of the client contains the text. */
export function matchesClient(text: string, table: 'appointments' | 'clients') {
  const isInName = containsText(text, clientName(table));
  const isInEmail = containsEmail(text, sql.ref(`${table}.email`));
  const isInNumber = containsPhoneNumber(text, sql.ref(`${table}.phone_number`));
  return sql<SqlBool>`(${isInName} OR ${isInEmail} OR ${isInNumber})`;
}

/** Returns the SQL condition that a username, email or full name of the artist contains the text. */
export function matchesArtist(text: string) {
  const isInUsername = containsText(text, sql.ref('artists.username'));
  const isInName = containsText(text, sql.ref('artists.full_name'));
  const isInEmail = containsEmail(text, sql.ref('artists.email'));
  return sql<SqlBool>`(${isInUsername} OR ${isInName} OR ${isInEmail})`;
}

/** Returns the SQL condition that a stored email contains the text, whose domain may be in Unicode. */
export function containsEmail(text: string, column: RawBuilder<unknown>) {
  return containsText(toEmail(text) || text, column);
}

/** Returns the SQL condition that a value contains the text, in any letter case. */
export function containsText(text: string, value: RawBuilder<unknown>) {
  // A backslash escapes the special characters of LIKE.
  const pattern = `%${text.replace(/[\\%_]/g, '\\$&')}%`;
  return sql<SqlBool>`${value} ILIKE ${pattern}`;
}

/** Returns the SQL condition that a stored phone number contains the text, in any spelling. */
function containsPhoneNumber(text: string, column: RawBuilder<unknown>) {
  const conditions = phoneSearchParts(text).map((part) => containsText(part, column));
  return sql<SqlBool>`(${sql.join([sql`false`, ...conditions], sql` OR `)})`;
}

/** Returns the SQL expression for the first and last name of a client, separated by a space. */
export function clientName(table: 'appointments' | 'clients'): RawBuilder<string> {
  return sql`concat_ws(' ', ${sql.ref(`${table}.first_name`)}, ${sql.ref(`${table}.last_name`)})`;
}
