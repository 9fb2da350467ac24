/** Checks every part of our server, and says how to fix the trouble that it finds. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { toOneLine } from '#domain/text/one_line.ts';
import type { Config } from '#server/settings/config.ts';
import type { Variables } from '#server/settings/settings.ts';
import { checkBackupFolder } from './backup_folder.ts';
import { checkBackups } from './backups.ts';
import { checkClock } from './clock.ts';
import { checkConnections } from './connections.ts';
import { checkDataFolder } from './data_folder.ts';
import { checkDatabase } from './database.ts';
import { checkDemo } from './demo.ts';
import { checkDisk } from './disk.ts';
import { checkEmails } from './emails.ts';
import { checkExtension } from './extension.ts';
import { error, type Finding, formatFinding } from './finding.ts';
import { checkIdleSettings } from './idle_settings.ts';
import { checkImageSharing } from './image_sharing.ts';
import { checkImages } from './images.ts';
import { checkMail } from './mail.ts';
import { checkMigrations } from './migrations.ts';
import {
  CHECK_TIMEOUT_MS,
  type Check,
  type CheckResult,
  type DatabaseCheck,
  type DoctorParts,
  findParts,
  openDoctorDatabase,
} from './parts.ts';
import { checkProxies } from './proxies.ts';
import { checkReplica } from './replica.ts';
import { checkSiteUrl } from './site_url.ts';
import { checkUnknownSettings } from './unknown_settings.ts';
import { checkVarnish } from './varnish.ts';
import { checkWrites } from './writes.ts';
import { checkZoneData } from './zone_data.ts';

const CHECKS: readonly (readonly [part: string, check: Check])[] = [
  ['settings', checkUnknownSettings],
  ['settings', checkIdleSettings],
  ['data folder', checkDataFolder],
  ['disk', checkDisk],
  ['backup folder', checkBackupFolder],
  ['database', checkDatabase],
  ['mail', checkMail],
  ['images', checkImages],
  ['site address', checkSiteUrl],
  ['proxies', checkProxies],
  ['varnish', checkVarnish],
];

/** Left out while the database cannot be used: the check of the database says why. */
const DATABASE_CHECKS: readonly (readonly [part: string, check: DatabaseCheck])[] = [
  ['extension', checkExtension],
  ['migrations', checkMigrations],
  ['writes', checkWrites],
  ['clock', checkClock],
  ['zone data', checkZoneData],
  ['connections', checkConnections],
  ['replica', checkReplica],
  ['shared images', checkImageSharing],
  ['backups', checkBackups],
  ['demo', checkDemo],
  ['emails', checkEmails],
];

/** Checks all parts. No check takes longer than ten seconds, and none changes anything that stays. */
export async function runDoctorChecks(
  config: Config,
  variables: Variables,
): Promise<readonly Finding[]> {
  const parts = await findParts(config, variables);
  const findings = await Promise.all(CHECKS.map(([part, check]) => runCheck(part, check(parts))));
  const found = findings.flat();
  const hasError = found.some(({ part, status }) => part === 'database' && status === 'error');
  return hasError ? found : [...found, ...(await runDatabaseChecks(parts))];
}

async function runDatabaseChecks(parts: DoctorParts): Promise<readonly Finding[]> {
  const { databaseUrl } = parts;
  if (databaseUrl === undefined) return [];
  const database = openDoctorDatabase(databaseUrl);
  try {
    const findings = await Promise.all(
      DATABASE_CHECKS.map(([part, check]) =>
        runCheck(part, check({ ...parts, database, databaseUrl })),
      ),
    );
    return findings.flat();
  } finally {
    // Not awaited: a database that hangs would delay the findings.
    void database.destroy().catch(() => {});
  }
}

async function runCheck(part: string, check: Promise<CheckResult>): Promise<readonly Finding[]> {
  const found = [await resultOf(check)].flat();
  return found.map((finding) => ({ part, ...finding }));
}

/** A check that throws or hangs is an error that the doctor has found. */
async function resultOf(check: Promise<CheckResult>): Promise<CheckResult> {
  const timeout = sleep(CHECK_TIMEOUT_MS, 'timeout' as const, { ref: false });
  try {
    const result = await Promise.race([check, timeout]);
    if (result !== 'timeout') return result;
    // If the check fails later, its error would end the process.
    check.catch(() => {});
    const seconds = CHECK_TIMEOUT_MS / 1000;
    return error(`There was no answer within ${seconds} s.`, 'Look whether this part hangs.');
  } catch (reason) {
    const text = toOneLine(reason instanceof Error ? reason.message : String(reason));
    return error(`The check failed (${text.replace(/\.$/, '')}).`, 'Look at this part.');
  }
}

/** Logs the warnings and errors, a line each; without any, one line that says so. */
export function logFindings(findings: readonly Finding[], log: Logger): void {
  const troubles = findings.filter(({ status }) => status !== 'ok');
  if (troubles.length === 0) log.info(`All ${findings.length} checks passed`);
  for (const finding of troubles)
    log[finding.status === 'error' ? 'error' : 'warn'](formatFinding(finding));
}
