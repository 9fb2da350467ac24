/** A place in PostgreSQL's write-ahead log, in bytes from its beginning. */
export type LogPlace = bigint;

/** How PostgreSQL writes one. */
export const PLACE = /^[\dA-F]{1,8}\/[\dA-F]{1,8}$/i;

/**
 * A `pg_lsn` as PostgreSQL writes it, `16/B374D848`: the upper and the lower half in hexadecimal.
 * @throws SyntaxError when it is none
 */
export function placeOf(lsn: string): LogPlace {
  const [upper = '', lower = ''] = lsn.split('/');
  return (BigInt(`0x${upper}`) << 32n) | BigInt(`0x${lower}`);
}
