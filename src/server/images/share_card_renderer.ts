/** The texts of an artist's share card: the image that social networks show for a link. */
export interface ArtistCardContent {
  readonly productName: string;
  readonly fullName: string;
  /** Only ASCII characters; shown when the fonts cannot write the full name. */
  readonly username: string;
  readonly studioName: string;
  readonly city: string;
  readonly state: string;
}

interface DesignCardContent extends ArtistCardContent {
  readonly designName: string;
}

/** Reads a picture's file; called by the renderer. If it fails, the card omits the picture. */
export type ReadPicture = () => Promise<Uint8Array>;

export type ShareCard =
  | {
      readonly kind: 'artist';
      readonly content: ArtistCardContent;
      readonly avatar: ReadPicture | null;
      readonly pictures: readonly ReadPicture[];
    }
  | { readonly kind: 'design'; readonly content: DesignCardContent; readonly picture: ReadPicture };

export interface ShareCardRenderer {
  /**
   * Returns a progressive JPEG of `SHARE_CARD_SIZE`.
   * @param key identifies the card and its content; concurrent calls with equal keys render once
   * @throws Refusal `busy` when too many renderings wait
   */
  render(key: string, card: ShareCard): Promise<Uint8Array>;
}
