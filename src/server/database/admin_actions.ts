import type { Insertable } from 'kysely';
import type { Transaction } from './connect.ts';
import type { AdminActions } from './tables.ts';

/**
 * Records an action of a superuser, in the transaction of the action.
 * @param action without an artist for a deleted account; `detail` is the kind of a mail, or the names of
 *   the changed fields of an account
 */
export async function insertAdminAction(
  transaction: Transaction,
  action: Insertable<AdminActions>,
): Promise<void> {
  await transaction.insertInto('admin_actions').values(action).execute();
}
