import { expect, test } from 'vitest';
import { EMAIL_UNDO_MS } from '#domain/accounts/security.ts';
import { HOUR_MS, MINUTE_MS } from '#domain/time/time.ts';
import {
  findUndoableEmailChange,
  insertEmailChange,
} from '#server/operations/accounts/email_change.ts';
import { addArtist } from '#support/database_rows.ts';
import { inTransaction } from '#support/in_transaction.ts';
import { openTestApp } from '#support/test_app.ts';

const NOW = Date.now();
/** Within, and after, the time in which a change can be undone. */
const UNDOABLE = new Date(NOW - EMAIL_UNDO_MS + 10 * MINUTE_MS);
const TOO_OLD = new Date(NOW - EMAIL_UNDO_MS - MINUTE_MS);

async function setUp() {
  const { database } = await openTestApp();
  const { id: artist_id } = await addArtist(database);
  const emails = { old_email: 'old@example.com', new_email: 'new@example.com' };
  return async (change: Partial<Parameters<typeof insertEmailChange>[1]>): Promise<boolean> => {
    const row = { artist_id, ...emails, can_be_undone: true, ...change };
    const id = await inTransaction(database, insertEmailChange, row);
    return (await findUndoableEmailChange(database, id)) !== undefined;
  };
}

test('a change of the email can be undone for seven days after it holds', async () => {
  const canUndo = await setUp();
  const requested_at = new Date(TOO_OLD.getTime() - HOUR_MS);
  expect(await canUndo({ requested_at, applied_at: UNDOABLE })).toBe(true);
  expect(await canUndo({ requested_at, applied_at: TOO_OLD })).toBe(false);
});

test('a change that does not hold yet can be undone for seven days after it was asked for', async () => {
  const canUndo = await setUp();
  expect(await canUndo({ requested_at: UNDOABLE })).toBe(true);
  expect(await canUndo({ requested_at: TOO_OLD })).toBe(false);
});

test('an undone change, and one away from an email that was not proven, cannot be undone', async () => {
  const canUndo = await setUp();
  expect(await canUndo({ undone_at: new Date(NOW) })).toBe(false);
  expect(await canUndo({ can_be_undone: false })).toBe(false);
});
