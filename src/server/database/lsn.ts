/** A log sequence number: a position in PostgreSQL's write-ahead log, in bytes. */
export type Lsn = bigint;

/** Matches PostgreSQL's text form of an LSN (type `pg_lsn`), such as `16/B374D848`. */
export const LSN_PATTERN = /^[\dA-F]{1,8}\/[\dA-F]{1,8}$/i;

/**
 * Parses PostgreSQL's text form of an LSN: the upper and lower 32 bits in hexadecimal.
 * @throws SyntaxError when a part is not hexadecimal
 */
export function parseLsn(lsn: string): Lsn {
  const [upper = '', lower = ''] = lsn.split('/');
  return (BigInt(`0x${upper}`) << 32n) | BigInt(`0x${lower}`);
}
