import type { DesignStatus } from '#domain/artwork.ts';

interface StatusLabels {
  readonly name: string;
  /** What clients see of it. */
  readonly description: string;
  /** What the menu offers that makes it so. */
  readonly actionLabel: string;
}

export const DESIGN_STATUS_LABELS: Readonly<Record<DesignStatus, StatusLabels>> = {
  available: {
    name: 'Available',
    description: 'Clients see it on your page and can ask for it.',
    actionLabel: 'Make available',
  },
  claimed: {
    name: 'Claimed',
    description: 'Someone has it: it is off your page. Bookings of it still show it.',
    actionLabel: 'Mark as claimed',
  },
  hidden: {
    name: 'Hidden',
    description: 'Only you see it.',
    actionLabel: 'Hide from clients',
  },
};
