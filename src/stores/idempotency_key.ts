/** A fresh UUID for the `Idempotency-Key` header (contract, Common). */
export function createIdempotencyKey(): string {
  // Over plain http on a local network there is no randomUUID.
  if (typeof crypto.randomUUID === 'function') return crypto.randomUUID();
  return toUuid(crypto.getRandomValues(new Uint8Array(16)));
}

/** The random (version 4) UUID of 16 random bytes. */
export function toUuid(bytes: Uint8Array): string {
  const hex = Array.from(bytes, (byte, index) => {
    if (index === 6) return (byte & 0x0f) | 0x40;
    if (index === 8) return (byte & 0x3f) | 0x80;
    return byte;
  })
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
