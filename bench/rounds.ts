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
