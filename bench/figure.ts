/** Something that is measured against a yardstick of the same machine in the same minutes. */
export interface Figure {
  /** One word of `npm run bench -- <name>`. */
  readonly name: string;
  readonly what: string;
  readonly yardstick: string;
  readonly toReach: Bound;
  /** How both are measured, in a sentence or two. */
  readonly how: string;
  readonly measure: (scale: Scale) => Promise<Measured>;
}

/** What the ratio of ours to the yardstick must be: a rate at least so much, a cost at most. */
export type Bound = { readonly atLeast: number } | { readonly atMost: number };

/** `quick` measures the same on less, to try things out. */
type Scale = 'full' | 'quick';

export interface Measured {
  /** Ours over the yardstick's. */
  readonly ratio: number;
  /** The two medians, with their unit. */
  readonly ours: string;
  readonly yardstick: string;
  /** What else a reader should know, such as how busy the server was. */
  readonly notes?: readonly string[];
}

/** Whether a ratio is as it should be. */
export function isReached(ratio: number, bound: Bound): boolean {
  return 'atLeast' in bound ? ratio >= bound.atLeast : ratio <= bound.atMost;
}
