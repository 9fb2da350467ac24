import fc from 'fast-check';

export const FAULT_KINDS = [
  'kill a server',
  'stop a server',
  'freeze a server',
  'kill PostgreSQL',
  'kill a connection of PostgreSQL',
  'freeze PostgreSQL',
  'fill the disk',
  'stop the mail server',
  'take the file descriptors of a server',
  'delete pictures',
] as const;

export type FaultKind = (typeof FAULT_KINDS)[number];

export interface Fault {
  readonly kind: FaultKind;
  /** The server that it hits, if it hits one. */
  readonly server: number;
  /** How long it lasts, if it does not end by itself. */
  readonly milliseconds: number;
  /** From the end of the fault before. */
  readonly pauseMs: number;
}

/** Faults for one after another. Each kind comes before one comes twice. */
export function planFaults(seed: number, count: number): Fault[] {
  const faultOf = (kind: FaultKind): fc.Arbitrary<Fault> =>
    fc.record({
      kind: fc.constant(kind),
      server: fc.nat(1),
      milliseconds: fc.integer({ min: 500, max: 6000 }),
      pauseMs: fc.integer({ min: 200, max: 2500 }),
    });
  const round = fc
    .shuffledSubarray([...FAULT_KINDS], { minLength: FAULT_KINDS.length })
    .chain((kinds) => fc.tuple(...kinds.map(faultOf)));
  const rounds = fc.sample(round, { seed, numRuns: Math.ceil(count / FAULT_KINDS.length) });
  return rounds.flat().slice(0, count);
}
