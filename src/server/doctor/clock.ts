import { loadDatabaseTime } from '#server/database/clock.ts';
import { error, ok, warning } from './finding.ts';
import type { DatabaseCheck } from './parts.ts';

const WARNING_MS = 2000;
const ERROR_MS = 30_000;

/** Compares the clock of this machine with that of the database. */
export const checkClock: DatabaseCheck = async ({ database }) => {
  const startedAt = Date.now();
  const databaseTime = await loadDatabaseTime(database);
  // The database read its clock some time in between.
  const ownTime = (startedAt + Date.now()) / 2;
  return [describeDifference(ownTime - databaseTime)];
};

/** @param differenceMs how much the clock of this machine is ahead */
export function describeDifference(differenceMs: number) {
  const seconds = Math.round(Math.abs(differenceMs) / 100) / 10;
  if (Math.abs(differenceMs) <= WARNING_MS)
    return ok(`It differs from the database’s by ${seconds} s.`);
  const message = `It is ${seconds} s ${differenceMs > 0 ? 'ahead of' : 'behind'} the database’s, so times and links are wrong.`;
  const advice = 'Let both machines set their clocks, for example by systemd-timesyncd or chrony.';
  return Math.abs(differenceMs) > ERROR_MS ? error(message, advice) : warning(message, advice);
}
