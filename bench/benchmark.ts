/** Something that is measured against a yardstick of the same machine in the same minutes. */
export interface Benchmark {
  /** One word of `npm run bench -- <name>`. */
  readonly name: string;
  readonly title: string;
  readonly baseline: string;
  readonly target: Target;
  /** How both are measured, in a sentence or two. */
  readonly method: string;
  readonly measure: (scale: Scale) => Promise<Measurement>;
}

/**
 * What the ratio of ours to the yardstick must be: a rate at least so much, a cost at most. `none`
 * for a figure that is only reported.
 */
export type Target = { readonly atLeast: number } | { readonly atMost: number } | 'none';

/** `quick` measures the same on less, to try things out. */
export type Scale = 'full' | 'quick';

export interface Measurement {
  /** Ours over the yardstick's. */
  readonly ratio: number;
  /** The two medians, with their unit. */
  readonly ours: string;
  readonly baseline: string;
  /** What else a reader should know, such as how busy the server was. */
  readonly notes?: readonly string[];
}

/** Whether a ratio is as it should be. */
export function meetsTarget(ratio: number, bound: Target): boolean {
  if (bound === 'none') return true;
  return 'atLeast' in bound ? ratio >= bound.atLeast : ratio <= bound.atMost;
}
