/** What clients do for some seconds, each on a connection of its own, without a pause. */
export interface Load {
  readonly url: string;
  readonly connections: number;
  /** For so long, or until there are so many answers. */
  readonly until: { readonly seconds: number } | { readonly answers: number };
  readonly headers?: Readonly<Record<string, string>>;
  /** Asked one after the other; the URL itself unless given. */
  readonly paths?: readonly string[];
}

export interface Answered {
  readonly answers: number;
  readonly perSecond: number;
  /** Bytes of an answer, its headers included. */
  readonly bytesEach: number;
}
