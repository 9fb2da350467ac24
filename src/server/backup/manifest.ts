/** The description of a backup. Its first entry is `backup.json`, its last `manifest.json`. */
import { createHmac } from 'node:crypto';
import * as z from 'zod/mini';
import { toOneLine } from '#domain/text/one_line.ts';

/** Raise it when an older program could not restore a newer file, as for a new kind of part. */
export const FORMAT = 1;

/** Holds the `BackupHeader`. */
export const FIRST_ENTRY = 'backup.json';
/** Holds the `BackupManifest`. */
export const LAST_ENTRY = 'manifest.json';
/** Holds the SECRET_KEY, if a file of DATA_DIR had it. */
export const SECRET_KEY_ENTRY = 'secret-key';

const Count = z.int().check(z.minimum(0));
/** A text that is printed: a stranger's file may have escape sequences for the terminal in it. */
const Line = z.string().check(z.overwrite(toOneLine));

/** Known when the backup begins, and first in it: a restore refuses a wrong file at once. */
export const BackupHeader = z.object({
  format: z.literal(FORMAT),
  /** The version of Linework. */
  program: Line,
  /** When the snapshot of the tables was taken, by the database's clock. */
  snapshotAt: z.iso.datetime(),
  postgres: z.string(),
  migrations: z.array(z.object({ name: Line, sha256: z.string() })),
  /** Where the tables, files and the key came from. */
  source: z.object({
    database: z.enum(['bundled', 'url']),
    pictures: z.enum(['files', 'bucket']),
    /** `file`: the key is in the backup. `setting`: the operator has it as SECRET_KEY. */
    secretKey: z.enum(['file', 'setting', 'none']),
  }),
  /** Shows whether another key is the same, without the key. */
  keyFingerprint: z.nullable(z.string()),
});
export type BackupHeader = z.output<typeof BackupHeader>;

const TableSummary = z.object({
  columns: z.array(z.string()),
  rows: Count,
  /** Of the rows as PostgreSQL's COPY writes them, uncompressed. */
  bytes: Count,
  sha256: z.string(),
  parts: Count,
});
export type TableSummary = z.output<typeof TableSummary>;

/** Known when the backup ends. Without it, the file is not whole. */
export const BackupManifest = z.object({
  ...BackupHeader.shape,
  finishedAt: z.iso.datetime(),
  tables: z.record(z.string(), TableSummary),
  jobs: Count,
  erasures: Count,
  pictures: z.object({
    count: Count,
    bytes: Count,
    /** Files that the tables name, and that were deleted while the backup was made. */
    deletedMeanwhile: Count,
    /** Files that the tables still name, and that do not exist: at most `MAX_MISSING_NAMES` names. */
    missing: Count,
    missingNames: z.array(z.string()),
  }),
});
export type BackupManifest = z.output<typeof BackupManifest>;

export const MAX_MISSING_NAMES = 1000;

/** A text that shows whether two keys are the same, without the keys. */
export function fingerprintOf(key: Uint8Array): string {
  return createHmac('sha256', key).update('linework backup').digest('hex').slice(0, 16);
}
