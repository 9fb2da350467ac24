import { expect, test } from 'vitest';
import { describePostgresError, formatPostgresError } from '#server/database/postgres_failure.ts';

const ADDRESS = 'postgres://ana:hushhush@db.linework.example:5433/book';

function failure(code: string, message = 'no') {
  return Object.assign(new Error(message), { code });
}

test.each([
  ['28P01', 'PostgreSQL refuses the password of the user ana'],
  ['3D000', 'there is no database book'],
  ['ENOTFOUND', 'no machine has the name of db.linework.example:5433'],
  ['ECONNREFUSED', 'nothing listens on db.linework.example:5433 (ECONNREFUSED)'],
  ['ETIMEDOUT', 'db.linework.example:5433 does not answer in time'],
  ['25006', 'it can only be read'],
  ['53100', 'its disk is full'],
  ['53300', 'it has no free connection'],
])('the error %s becomes a reason and an advice without the password', (code, reason) => {
  const described = describePostgresError(failure(code), ADDRESS);
  expect(described.reason).toBe(reason);
  expect(described.advice).toMatch(/^[A-Z].*\.$/);
  expect(JSON.stringify(described)).not.toContain('hushhush');
});

test('missing rights name the user, and for an extension the command', () => {
  const denied = (what: string) =>
    describePostgresError(failure('42501', `permission denied ${what}`), ADDRESS).advice;
  expect(denied('for schema public')).toContain('Make ana the owner of the database');
  expect(denied('to create extension "btree_gist"')).toContain('CREATE EXTENSION btree_gist');
});

test.each([
  ['EMFILE', 'this process may open no more files. Raise its limit (ulimit -n, or LimitNOFILE='],
  ['XX999', 'XX999. Read the log of PostgreSQL, and check DATABASE_URL.'],
])('an error %s without a message does not blame DATABASE_URL', (code, text) => {
  const sentence = formatPostgresError(failure(code, ''), ADDRESS);
  expect(sentence).toContain(`The database of DATABASE_URL cannot be used: ${text}`);
});
