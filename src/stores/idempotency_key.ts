/** Creates a UUID for the `Idempotency-Key` header, by which the API notices a repeated request. */
export function createIdempotencyKey(): string {
  // Browsers offer no `randomUUID` on pages over plain HTTP, such as in a local network.
  if (typeof crypto.randomUUID === 'function') return crypto.randomUUID();
  return toUuid(crypto.getRandomValues(new Uint8Array(16)));
}

/** Formats 16 random bytes as a version 4 UUID; RFC 9562 fixes bits of bytes 6 and 8. */
function toUuid(bytes: Uint8Array): string {
  const hex = Array.from(bytes, (byte, index) => {
    if (index === 6) return (byte & 0x0f) | 0x40;
    if (index === 8) return (byte & 0x3f) | 0x80;
    return byte;
  })
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
