/** A log sequence number: a position in PostgreSQL's write-ahead log, in bytes. */
export type Lsn = bigint;

/** The text form of `pg_lsn`. */
export const LSN_PATTERN = /^[\dA-F]{1,8}\/[\dA-F]{1,8}$/i;

/**
 * Parses a `pg_lsn` such as `16/B374D848`: the upper and the lower half in hexadecimal.
 * @throws SyntaxError when the text is not one
 */
export function parseLsn(lsn: string): Lsn {
  const [upper = '', lower = ''] = lsn.split('/');
  return (BigInt(`0x${upper}`) << 32n) | BigInt(`0x${lower}`);
}
