/** `claimed`: someone has it; `hidden`: only the artist sees it. Only the artist sets it. */
export const DESIGN_STATUSES = ['available', 'claimed', 'hidden'] as const;
export type DesignStatus = (typeof DESIGN_STATUSES)[number];

export type ImageKind = 'design' | 'portfolio' | 'avatar';

/** As file endings; AVIF is the smaller. */
export type ImageFormat = 'avif' | 'webp';
