import type { Instant } from '../time/time.ts';

/** The name of the log of erasures, in the folder of the backups or in the data directory. */
export const ERASURE_LOG = 'erasures.log';

/** The kinds of data whose deletion is final: restoring a backup must not bring them back. */
export const ERASURE_KINDS = ['artist', 'client', 'appointment', 'message', 'image'] as const;

export type ErasureKind = (typeof ERASURE_KINDS)[number];

/** A deletion: it says which row is gone, and nothing about the person. */
export interface Erasure {
  readonly kind: ErasureKind;
  readonly id: string;
  readonly at: Instant;
}

const LINE = new RegExp(
  `^(\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z) (${ERASURE_KINDS.join('|')}) ([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$`,
);

/** Writes an erasure as a line of a log, without the line break. */
export function formatErasure({ kind, id, at }: Erasure): string {
  return `${new Date(at).toISOString()} ${kind} ${id}`;
}

/** Reads a line of a log; undefined for a line of another form, such as half a line. */
export function parseErasure(line: string): Erasure | undefined {
  const [, at = '', name, id = ''] = LINE.exec(line) ?? [];
  const kind = ERASURE_KINDS.find((known) => known === name);
  return kind && { kind, id, at: Date.parse(at) };
}
