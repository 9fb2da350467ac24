/**
 * Which versions of this program can use a database. During a rolling restart, servers of the previous
 * version run beside the newer one, and may have to start again on a database that it has migrated.
 */

/**
 * The first line of every migration, such as
 * `-- Older servers can run with this migration: they ignore the new column.`
 * "Can" means: they answer as before, and leave rows that the newer version understands.
 */
const FIRST_LINE = /^-- Older servers (can|cannot) run with this migration: \S/;

/**
 * Whether servers of earlier versions can run with a migration, as its first line says.
 * @param name the file of a migration
 * @param text its content
 * @throws Error when the migration does not say it
 */
export function canOlderServersRun(name: string, text: string): boolean {
  const [, answer] = FIRST_LINE.exec(text) ?? [];
  if (answer === undefined)
    throw new Error(
      `The first line of ${name} must be "-- Older servers can run with this migration: …" or "… cannot run …"`,
    );
  return answer === 'can';
}

/** A migration that a database has and this version does not. */
export interface UnknownMigration {
  readonly name: string;
  readonly older_can_run: boolean;
}

/** The database is of another version, and this one must not use it. */
export class OtherVersion extends Error {}

/** The first migration before 0.1, the first release. */
const BEFORE_FIRST_RELEASE = '0001_booking.sql';

/**
 * Describes a database or a backup from before the first release.
 * @param names its migrations
 * @returns how to go on if it is from before 0.1; undefined for all others
 */
export function describeUnreleased(
  names: readonly string[],
  kind: 'database' | 'backup',
): string | undefined {
  if (!names.includes(BEFORE_FIRST_RELEASE)) return undefined;
  const remedy =
    kind === 'database'
      ? 'Start with an empty DATA_DIR, or with a new database in DATABASE_URL.'
      : 'Restore it with the version that made it, or start without it.';
  return `This ${kind} was made by a version of Linework before 0.1, which this version cannot read. Nothing in it was changed. ${remedy}`;
}

/** The error text, with a remedy, if a database was migrated by another file of the same name. */
export function describeChanged(name: string): string {
  return `The migration ${name} was changed after it was applied to this database. Install the version of Linework that applied it, without changes of your own.`;
}

/**
 * Checks that this version may run on a database with migrations that it does not know.
 * @param isAllowed whether the operator lets this version run on a database of a newer one
 * @throws OtherVersion unless it is allowed, and every unknown migration says that older servers can
 *   run with it
 */
export function assertCanRun(unknown: readonly UnknownMigration[], isAllowed: boolean): void {
  if (unknown.length === 0) return;
  const blocking = unknown.filter(({ older_can_run }) => !older_can_run);
  if (isAllowed && blocking.length === 0) return;
  const facts = `A newer version of Linework has migrated this database: this version does not know ${listNames(unknown)}.`;
  const remedies =
    blocking.length > 0
      ? `Older versions cannot run with ${listNames(blocking)}, so start the newer version, or restore a backup from before.`
      : 'Start the newer version, or restore a backup from before. During a rolling restart, set ALLOW_NEWER_DATABASE=1: older versions can run with these migrations.';
  throw new OtherVersion(`${facts} ${remedies}`);
}

function listNames(migrations: readonly UnknownMigration[]): string {
  return migrations.map(({ name }) => name).join(', ');
}
