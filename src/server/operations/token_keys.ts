/** The keys of all tokens that we sign. */
export interface TokenKeys {
  readonly signing: Uint8Array;
  /** `signing` first, then the key before it: its tokens stay valid while operators change keys. */
  readonly verifying: readonly Uint8Array[];
}

/** @param previous the key before `current`, if operators have changed it */
export function createTokenKeys(current: Uint8Array, previous?: Uint8Array): TokenKeys {
  return { signing: current, verifying: previous ? [current, previous] : [current] };
}
