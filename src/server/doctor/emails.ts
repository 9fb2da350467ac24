import { type RawBuilder, sql } from 'kysely';
import { listSome, MAX_NAMES, ok, warning } from './finding.ts';
import { type DatabaseCheck, hasTable } from './parts.ts';

/**
 * Finds accounts and clients whose email or username nobody can type, because it is not ASCII. The server
 * accepts no new ones. An upgrade has corrected the old ones, except where two would have become equal.
 */
export const checkEmails: DatabaseCheck = async ({ database }) => {
  if (!(await hasTable(database, 'artists'))) return [];
  const accounts = await database
    .selectFrom('artists')
    .select(['id', sql<number>`count(*) OVER ()::int`.as('count')])
    .where(({ or }) => or([isNotAscii(sql.ref('email')), isNotAscii(sql.ref('username'))]))
    .orderBy('id')
    .limit(sql.lit(MAX_NAMES))
    .execute();
  const { count: clients } = await database
    .selectFrom('clients')
    .select(sql<number>`count(*)::int`.as('count'))
    .where(isNotAscii(sql.ref('email')))
    .executeTakeFirstOrThrow();
  const count = accounts[0]?.count ?? 0;
  if (count + clients === 0) return [ok('Every email and username can be typed.')];
  const ids = accounts.map(({ id }) => id);
  const named = count > 0 ? ` (${listSome(ids, count)})` : '';
  return [
    warning(
      `Accounts with an email or username that nobody can type: ${count}${named}. Clients with such an email: ${clients}.`,
      'Give these accounts another email or username on the operator’s page. Artists correct the emails of their clients.',
    ),
  ];
};

function isNotAscii(text: RawBuilder<unknown>) {
  return sql<boolean>`octet_length(${text}) <> char_length(${text})`;
}
