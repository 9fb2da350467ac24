import type { DesignStatus } from '#domain/artwork.ts';

interface StatusWords {
  readonly name: string;
  /** What clients see of it. */
  readonly meaning: string;
  /** What the menu offers that makes it so. */
  readonly change: string;
}

export const STATUS_WORDS: Readonly<Record<DesignStatus, StatusWords>> = {
  available: {
    name: 'Available',
    meaning: 'Clients see it on your page and can ask for it.',
    change: 'Make available',
  },
  claimed: {
    name: 'Claimed',
    meaning: 'Someone has it: it is off your page. Bookings of it still show it.',
    change: 'Mark as claimed',
  },
  hidden: {
    name: 'Hidden',
    meaning: 'Only you see it.',
    change: 'Hide from clients',
  },
};
