import { fitsAgreedTime } from '#domain/studio/agreed_time.ts';
import { pluralize } from '#domain/time/duration.ts';
import { countAgreedTimes } from '#server/database/agreed_times.ts';
import { listSome, ok, warning } from './finding.ts';
import { type CheckResult, type DatabaseParts, hasColumn } from './parts.ts';

/** Warns of appointments whose clock time, by Node's zone data, is not the one that was agreed. */
export async function checkZoneData({
  database,
}: Pick<DatabaseParts, 'database'>): Promise<CheckResult> {
  // The column is created at the next start.
  if (!(await hasColumn(database, 'appointment_times', 'agreed_local'))) return [];
  const times = await countAgreedTimes(database, Date.now());
  const changed = times.filter(({ start, agreed }) => !fitsAgreedTime(start, agreed));
  const data = `the zone data of Node (${process.versions['tz']})`;
  if (changed.length === 0) return ok(`All appointments ahead are as agreed by ${data}.`);
  const count = changed.reduce((sum, time) => sum + time.count, 0);
  const zones = [...new Set(changed.map(({ agreed }) => agreed.zone))].sort();
  return warning(
    `By ${data}, ${pluralize(count, 'appointment')} would begin at another clock time than agreed (${listSome(zones)}).`,
    'The studios of their artists list them and ask what to keep. If those clock times are right, install a Node with newer zone data.',
  );
}
