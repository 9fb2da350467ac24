import type { ArtistCardContent, DesignCardContent } from '#domain/share_card.ts';

/** The bytes of a picture, when it is its turn; whatever it throws leaves the card without it. */
export type ReadPicture = () => Promise<Uint8Array>;

/** Of whom and what a card is. */
export type ShareCard =
  | {
      readonly kind: 'artist';
      readonly content: ArtistCardContent;
      /** null when the artist has none. */
      readonly avatar: ReadPicture | null;
      readonly pictures: readonly ReadPicture[];
    }
  | { readonly kind: 'design'; readonly content: DesignCardContent; readonly picture: ReadPicture };

/** Draws what stands for a page where it is shared. */
export interface ShareCardRenderer {
  /**
   * A progressive JPEG of 1200 by 630 pixels.
   * @param name of exactly this card: whoever asks while it is being drawn gets the same
   * @throws Refusal `busy` when too many are waiting
   */
  render(name: string, card: ShareCard): Promise<Uint8Array>;
}
