/**
 * `claimed`: taken by a client; `hidden`: only the artist sees it; `draft`: not published yet. Only the
 * artist sets the status.
 */
export const DESIGN_STATUSES = ['available', 'claimed', 'hidden', 'draft'] as const;
export type DesignStatus = (typeof DESIGN_STATUSES)[number];

/** Where an image is shown: at a design, in the portfolio, or as the artist's profile picture. */
export type ImageKind = 'design' | 'portfolio' | 'avatar';

/** Also the file extensions of the stored images. */
export type ImageFormat = 'avif' | 'webp';

/** The image that represents a page where its link is shared; the size that https://ogp.me names. */
export const SHARE_CARD_SIZE = { width: 1200, height: 630 } as const;

/** The side in pixels of an artist's picture in mails: twice as many as they show, for dense screens. */
export const MAIL_PICTURE_SIZE = 112;

/** The most pictures that fit on an artist's share card. */
export const MAX_SHARE_CARD_PICTURES = 4;
