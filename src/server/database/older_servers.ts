/**
 * Whether servers that do not know a migration can run on a database that has it. During a rolling
 * restart, servers of the version before run beside the newer one, and may have to start again.
 */

/**
 * The first line of every migration from 0022 on, such as
 * `-- Older servers can run with this migration: they ignore the new column.`
 * "Can" means: they answer as before, and leave rows that the newer version understands.
 */
const STATEMENT = /^-- Older servers (can|cannot) run with this migration: \S/;

/**
 * The answers for migrations that have no such line, because a migration never changes once it is
 * applied. No server that asks misses one of these, so they are only for readers of the table.
 */
const EARLIER_ANSWERS: Readonly<Record<string, boolean>> = {
  // There were no older servers.
  '0001_booking.sql': false,
  '0002_studio.sql': true,
  // They send no mails, as before.
  '0003_mail_and_billing.sql': true,
  '0004_site_assets.sql': true,
  '0005_rate_limits.sql': true,
  // They would confirm a hold that only the mailed link may confirm, and that reserves no time.
  '0006_booking_limits.sql': false,
  // They would send mail to mailboxes that have stopped it.
  '0007_mail_limits.sql': false,
  // They ask for a primary key of `password_recoveries` that is gone.
  '0008_login_limits.sql': false,
  // They would show deleted designs.
  '0009_appointment_events.sql': false,
  '0010_studio_changes.sql': true,
  // Their mails have no place in the order, and go out at once.
  '0011_mail_order.sql': true,
  // Triggers write the listings for them.
  '0012_explore.sql': true,
  // They would accept tokens of sessions that have ended.
  '0013_accounts.sql': false,
  // They would give a reserved username away, and show an email that the artist hides.
  '0014_former_usernames.sql': false,
  '0015_exports.sql': true,
  // They would let blocked senders through: they look for the email where its hash is.
  '0016_privacy.sql': false,
  '0017_data_requests.sql': true,
  // They would show merged clients, and add appointments to them.
  '0018_client_merges.sql': false,
  // Triggers hash what they write.
  '0019_older_servers.sql': true,
  '0020_erasure_indexes.sql': true,
  '0021_mail_networks.sql': true,
};

/** The migrations that need no statement in their file. */
export const EARLIER_MIGRATIONS: readonly string[] = Object.keys(EARLIER_ANSWERS);

/**
 * @param name the file of a migration
 * @param text its content
 * @throws Error when the migration does not say it
 */
export function canOlderServersRun(name: string, text: string): boolean {
  const earlier = EARLIER_ANSWERS[name];
  if (earlier !== undefined) return earlier;
  const [, answer] = STATEMENT.exec(text) ?? [];
  if (answer === undefined)
    throw new Error(
      `The first line of ${name} must be "-- Older servers can run with this migration: …" or "… cannot run …"`,
    );
  return answer === 'can';
}

/** A migration that a database has and this version does not. */
export interface UnknownMigration {
  readonly name: string;
  /** Null if the newer version did not say it. */
  readonly olderCanRun: boolean | null;
}

/** The database was migrated by a newer version, and this one must not use it. */
export class NewerDatabase extends Error {}

/**
 * @param isAllowed whether the operator lets this version run on a database of a newer one
 * @throws NewerDatabase unless it is allowed, and every unknown migration says that older servers can
 *   run with it
 */
export function assertCanRun(unknown: readonly UnknownMigration[], isAllowed: boolean): void {
  if (unknown.length === 0) return;
  const blocking = unknown.filter(({ olderCanRun }) => olderCanRun !== true);
  if (isAllowed && blocking.length === 0) return;
  const facts = `A newer version of Linework has migrated this database: this version does not know ${listNames(unknown)}.`;
  const remedies =
    blocking.length > 0
      ? `Older versions cannot run with ${listNames(blocking)}, so start the newer version, or restore a backup from before.`
      : 'Start the newer version, or restore a backup from before. During a rolling restart, set ALLOW_NEWER_DATABASE=1: older versions can run with these migrations.';
  throw new NewerDatabase(`${facts} ${remedies}`);
}

function listNames(migrations: readonly UnknownMigration[]): string {
  return migrations.map(({ name }) => name).join(', ');
}
