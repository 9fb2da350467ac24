/** A drawing of a demo artist, encoded beforehand. */
export interface DemoImage {
  /** A folder in `encoded/`, with the files `<width>.avif` and `<width>.webp`. */
  readonly folder: string;
  readonly title: string;
  readonly name: string;
  readonly description: string;
  readonly width: number;
  readonly height: number;
  readonly widths: readonly number[];
  readonly placeholder: string;
}

export interface DrawingsOfArtist {
  avatar: DemoImage;
  designs: DemoImage[];
  portfolio: DemoImage[];
}

/** The drawings of the demo artists, by username. */
export type DemoImages = Record<string, DrawingsOfArtist>;
