/** A drawing of a demo artist, encoded beforehand. */
export interface DemoImage {
  /** Below `encoded/`, holding `<width>.avif` and `<width>.webp`. */
  readonly folder: string;
  readonly title: string;
  readonly name: string;
  readonly description: string;
  readonly width: number;
  readonly height: number;
  readonly widths: readonly number[];
  readonly placeholder: string;
}

/** What hangs on the walls of each demo artist, by username. */
export interface DemoImages {
  [username: string]: { avatar: DemoImage; designs: DemoImage[]; portfolio: DemoImage[] };
}
