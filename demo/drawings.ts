/** A drawing of a demo artist, encoded beforehand. */
export interface Drawing {
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
export interface Drawings {
  [username: string]: { avatar: Drawing; designs: Drawing[]; portfolio: Drawing[] };
}
