import type { ArtistCardContent, DesignCardContent } from '#domain/share_card.ts';

/** The bytes of a picture, when it is its turn; whatever it throws leaves the card without it. */
export type ReadPicture = () => Promise<Uint8Array>;

/** Of whom and what a card is. */
export type Card =
  | {
      readonly kind: 'artist';
      readonly says: ArtistCardContent;
      /** null when the artist has none. */
      readonly avatar: ReadPicture | null;
      readonly pictures: readonly ReadPicture[];
    }
  | { readonly kind: 'design'; readonly says: DesignCardContent; readonly picture: ReadPicture };

/** Draws what stands for a page where it is shared. */
export interface CardDrawer {
  /**
   * A progressive JPEG of 1200 by 630 pixels.
   * @param name of exactly this card: whoever asks while it is being drawn gets the same
   * @throws Refusal `busy` when too many are waiting
   */
  draw(name: string, card: Card): Promise<Uint8Array>;
}
