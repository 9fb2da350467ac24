import type { Measurement } from './benchmark.ts';

/** What was measured of both sides, a round each. */
export interface Rounds {
  readonly ours: readonly number[];
  readonly baseline: readonly number[];
}

/**
 * Measures both sides by turns, so that whatever else the machine does meanwhile falls on both;
 * who goes first changes from round to round. The first round only warms up.
 */
export async function measureAlternately(
  rounds: number,
  ours: () => number | Promise<number>,
  baseline: () => number | Promise<number>,
): Promise<Rounds> {
  const figures: { ours: number[]; baseline: number[] } = { ours: [], baseline: [] };
  for (let round = 0; round <= rounds; round += 1) {
    const sides = [
      { into: figures.ours, measure: ours },
      { into: figures.baseline, measure: baseline },
    ];
    for (const { into, measure } of round % 2 === 0 ? sides : sides.toReversed()) {
      const figure = await measure();
      if (round > 0) into.push(figure);
    }
  }
  return figures;
}

/** The median of the rounds' ratios: a slow minute is in both halves of its round. */
export function medianRatio({ ours, baseline }: Rounds): number {
  return median(ours.map((figure, round) => figure / (baseline[round] ?? Number.NaN)));
}

/** @throws RangeError when there is nothing to take it of */
export function median(figures: readonly number[]): number {
  const sorted = figures.toSorted((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.ceil(sorted.length / 2) - 1];
  if (upper === undefined || lower === undefined) throw new RangeError('Nothing was measured');
  return (lower + upper) / 2;
}

/** The figure that this share of the figures does not exceed; NaN of none. */
export function percentile(figures: readonly number[], share: number): number {
  return figures.toSorted((a, b) => a - b)[Math.floor(figures.length * share)] ?? Number.NaN;
}

/** How much y grows with each x, by least squares. */
export function slope(points: readonly (readonly [x: number, y: number])[]): number {
  const mean = (of: 0 | 1) => points.reduce((sum, point) => sum + point[of], 0) / points.length;
  const [meanX, meanY] = [mean(0), mean(1)];
  const covariance = points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0);
  return covariance / points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
}

/** The milliseconds of each call by its name, a list entry for each time that it was made. */
export type Latencies = ReadonlyMap<string, readonly number[]>;
export type Timed = readonly [name: string, milliseconds: number];

/**
 * Times the calls of both sides by turns, as `measureAlternately` does.
 * @param warmUp so many rounds before the others are not counted
 */
export async function timeAlternately(
  { rounds, warmUp }: { readonly rounds: number; readonly warmUp: number },
  ours: () => Promise<readonly Timed[]>,
  baseline: () => Promise<readonly Timed[]>,
): Promise<{ readonly ours: Latencies; readonly baseline: Latencies }> {
  const took = { ours: new Map<string, number[]>(), baseline: new Map<string, number[]>() };
  for (let round = -warmUp; round < rounds; round += 1) {
    const sides = [
      { into: took.ours, call: ours },
      { into: took.baseline, call: baseline },
    ];
    for (const { into, call } of round % 2 === 0 ? sides : sides.toReversed())
      for (const [name, milliseconds] of await call())
        if (round >= 0) into.set(name, [...(into.get(name) ?? []), milliseconds]);
  }
  return took;
}

/** Makes one call after the other; the milliseconds that each took. */
export async function timeCalls(
  calls: readonly (readonly [name: string, call: () => Promise<unknown>])[],
): Promise<Timed[]> {
  const took: Timed[] = [];
  for (const [name, call] of calls) {
    const start = performance.now();
    await call();
    took.push([name, performance.now() - start]);
  }
  return took;
}

/** The medians of each call, and the call whose ratio is the worst. */
export function compareLatencies({
  ours,
  baseline,
}: {
  readonly ours: Latencies;
  readonly baseline: Latencies;
}): Measurement & { readonly notes: readonly string[] } {
  const calls = [...ours].map(([name, milliseconds]) => {
    const mine = median(milliseconds);
    const theirs = median(baseline.get(name) ?? []);
    return { name, mine, theirs, ratio: mine / theirs };
  });
  const worst = calls.toSorted((a, b) => b.ratio - a.ratio)[0];
  if (!worst) throw new RangeError('Nothing was measured');
  return {
    ratio: worst.ratio,
    ours: `${worst.mine.toFixed(2)} ms (${worst.name})`,
    baseline: `${worst.theirs.toFixed(2)} ms`,
    notes: calls.map(
      ({ name, mine, theirs, ratio }) =>
        `${name}: ${ratio.toFixed(2)} (${mine.toFixed(2)} ms against ${theirs.toFixed(2)} ms).`,
    ),
  };
}
