import type { BookingRange } from '#domain/booking/booking_range.ts';
import type { OpeningWindow, Schedule } from '#domain/booking/schedule.ts';
import { DEFAULT_SCHEDULE } from '#domain/booking/schedule.ts';
import type { SchedulingType } from '#domain/studio/artist.ts';
import type { Style } from '#domain/studio/style.ts';

/** The argon2id hash of `tattoo-demo`, stored here because hashing it would slow down each start. */
export const DEMO_PASSWORD_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$RukoygUZS+z5h6kyAF0VEQ$mznnDeVyPHZ4/vtAf+WDrDaSczLD7/oIAqsDgR0zK2Q';

export interface DemoArtist {
  readonly artist: {
    readonly username: string;
    readonly email: string;
    readonly full_name: string;
    readonly about_me: string;
    readonly styles: Style[];
    readonly facebook: string | null;
    readonly instagram: string | null;
    readonly scheduling_type: SchedulingType | null;
  };
  readonly studio: {
    readonly name: string;
    readonly address_one: string;
    readonly address_two: string | null;
    readonly city: string;
    readonly state: string;
    readonly zip_code: string;
    readonly time_zone: string;
  };
  readonly schedule: Schedule;
  readonly bookingRange: BookingRange;
  readonly services: readonly {
    readonly name: string;
    readonly description: string;
    readonly duration_minutes: number;
  }[];
}

function toWeeklyHours(weekdays: readonly number[], windows: readonly OpeningWindow[]) {
  return weekdays.map((weekday) => ({ weekday, windows }));
}

const TUESDAY_TO_SATURDAY = [2, 3, 4, 5, 6];

/** The three demo artists. They are made up. */
export const DEMO_ARTISTS: readonly DemoArtist[] = [
  {
    artist: {
      username: 'ana',
      email: 'ana@example.com',
      full_name: 'Ana',
      about_me:
        'Bold will hold. I tattoo American traditional: heavy lines, a handful of colors, and designs that still read from across the street in thirty years.\n\nPick something off the wall or bring me an idea and we will draw it together. First tattoo? Book a consultation, have a coffee, ask everything.',
      styles: ['Lettering', 'Traditional'],
      facebook: 'ana.example.tattoo',
      instagram: 'ana.example.tattoo',
      scheduling_type: 'service',
    },
    studio: {
      name: 'Brooklyn Bridge Tattoo',
      address_one: '100 Example Street',
      address_two: 'Floor 2',
      city: 'Brooklyn',
      state: 'NY',
      zip_code: '11201',
      time_zone: 'America/New_York',
    },
    schedule: {
      ...DEFAULT_SCHEDULE,
      weekly: toWeeklyHours(TUESDAY_TO_SATURDAY, [
        { start: '10:00', end: '13:00' },
        { start: '14:00', end: '19:00' },
      ]),
      buffer_minutes: 15,
    },
    bookingRange: { kind: 'rolling', days: 90 },
    services: [
      {
        name: 'Consultation',
        description: 'Talk through an idea, size and placement. The drawing starts here.',
        duration_minutes: 30,
      },
      {
        name: 'Small flash piece',
        description: 'One design off the wall, up to 3 inches. Walk out with it the same day.',
        duration_minutes: 60,
      },
      {
        name: 'Flash piece',
        description: 'One design off the wall, 4 to 8 inches, in full color.',
        duration_minutes: 120,
      },
      {
        name: 'Custom session',
        description: 'Your own piece, drawn for you after a consultation. Bring snacks.',
        duration_minutes: 180,
      },
    ],
  },
  {
    artist: {
      username: 'bo',
      email: 'bo@example.com',
      full_name: 'Bo',
      about_me:
        'Blackwork, dotwork and ornament. I work by appointment only and take on a few large pieces at a time.\n\nSend me a request with a design or an idea, where it goes and how big. I will look at my calendar and come back to you with a time.',
      styles: ['Blackwork', 'Dotwork', 'Ornamental'],
      facebook: null,
      instagram: 'bo.example.blackwork',
      scheduling_type: 'managed',
    },
    studio: {
      name: 'Night Moth Studio',
      address_one: '200 Example Avenue',
      address_two: null,
      city: 'Los Angeles',
      state: 'CA',
      zip_code: '90012',
      time_zone: 'America/Los_Angeles',
    },
    schedule: {
      ...DEFAULT_SCHEDULE,
      weekly: toWeeklyHours([1, 2, 3, 4], [{ start: '11:00', end: '19:00' }]),
      slot_interval_minutes: 60,
      buffer_minutes: 30,
      minimum_notice_minutes: 1440,
    },
    bookingRange: { kind: 'rolling', days: 120 },
    services: [
      {
        name: 'Half day',
        description: 'Four hours at the table, for a piece of one sitting.',
        duration_minutes: 240,
      },
      {
        name: 'Full day',
        description: 'Seven hours with breaks, for back pieces and sleeves.',
        duration_minutes: 420,
      },
    ],
  },
  {
    artist: {
      username: 'cleo',
      email: 'cleo@example.com',
      full_name: 'Cleo',
      about_me:
        'Fine line and botanical work, drawn from plants I grow myself. My books are about to open here.',
      styles: ['Fine line', 'Illustrative'],
      facebook: 'cleo.example.fineline',
      instagram: 'cleo.example.fineline',
      scheduling_type: null,
    },
    studio: {
      name: 'Hothouse',
      address_one: '300 Example Road',
      address_two: null,
      city: 'Chicago',
      state: 'IL',
      zip_code: '60607',
      time_zone: 'America/Chicago',
    },
    schedule: {
      ...DEFAULT_SCHEDULE,
      weekly: toWeeklyHours([3, 4, 5, 6], [{ start: '12:00', end: '20:00' }]),
    },
    bookingRange: { kind: 'rolling', days: 60 },
    services: [
      {
        name: 'Single stem',
        description: 'One flower or leaf, palm-sized at most.',
        duration_minutes: 90,
      },
      {
        name: 'Bouquet',
        description: 'Several stems arranged for where they will grow.',
        duration_minutes: 180,
      },
    ],
  },
];
