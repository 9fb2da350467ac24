import type { DesignStatus } from '#domain/studio/artwork.ts';

/** Texts for the artist; `actionLabel` is the menu entry that sets the status. */
export const DESIGN_STATUS_LABELS = {
  available: {
    name: 'Available',
    description: 'Clients see it on your page and can ask for it.',
    actionLabel: 'Make available',
  },
  claimed: {
    name: 'Claimed',
    description:
      'Someone has it: it is off your page, or marked as claimed if it may be tattooed a limited number of times.',
    actionLabel: 'Mark as claimed',
  },
  draft: {
    name: 'Draft',
    description: 'Only you see it, until you publish it.',
    actionLabel: 'Make it a draft',
  },
  hidden: {
    name: 'Hidden',
    description: 'Only you see it.',
    actionLabel: 'Hide from clients',
  },
} as const satisfies Record<DesignStatus, object>;
