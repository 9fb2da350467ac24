/**
 * The prices, bookings and messages of the demo artists, relative to the day of the first start: people who
 * log in see a studio at work. All clients and their words are made up. `...{ … }` puts facts on one line.
 */
import type { AppointmentStatus } from '#domain/appointments/appointment.ts';
import type { BodyLocation, TattooSize } from '#domain/appointments/appointment_choices.ts';
import type { Money } from '#domain/money/money.ts';
import type { PaymentMethod } from '#domain/money/payment.ts';
import type { Price } from '#domain/money/price.ts';
import type { DesignColor } from '#domain/studio/design.ts';

function usd(dollars: number, kind: 'fixed' | 'from' = 'fixed'): Price {
  return { kind, amount: dollars * 100, amount_to: null, currency: 'USD' };
}

/** The artist names the price only on request. */
export const ON_REQUEST: Price = { kind: 'ask', amount: null, amount_to: null, currency: 'USD' };

/** The artist's conditions; prices are by the names of services and designs. */
export interface DemoTerms {
  readonly policy: string;
  /** How long before the start clients can move an appointment by themselves; null: never. */
  readonly moveNoticeHours: number | null;
  readonly deposit: Money;
  readonly services: Readonly<Record<string, Price>>;
  readonly designs: Readonly<Record<string, DemoDesignFacts>>;
}

interface DemoDesignFacts {
  readonly price?: Price;
  /** Minutes. */
  readonly length?: number;
  /** Millimeters. */
  readonly size?: readonly [width: number, height: number];
  readonly placements?: readonly BodyLocation[];
  readonly color?: DesignColor;
  readonly editions?: number;
}

/** By username. An artist without terms names no prices. */
export const DEMO_TERMS: Readonly<Record<string, DemoTerms>> = {
  ana: {
    policy:
      'Free changes until 48 hours before. After that, the deposit stays with me.\nPlease eat before you come.',
    moveNoticeHours: 48,
    deposit: { amount: 5000, currency: 'USD' },
    services: {
      Consultation: usd(0),
      'Small flash piece': usd(150),
      'Flash piece': usd(250, 'from'),
      'Custom session': { kind: 'range', amount: 60_000, amount_to: 90_000, currency: 'USD' },
    },
    designs: {
      'Open rose': {
        ...{ size: [100, 120], color: 'color' },
        placements: ['shoulder', 'legs', 'hands'],
      },
      Swallow: {
        ...{ price: usd(180), length: 75, size: [90, 110], color: 'color' },
        placements: ['chest', 'hands'],
      },
      'Dagger through rose': {
        ...{ price: usd(380), length: 180, size: [90, 180], color: 'color', editions: 1 },
        placements: ['arms', 'legs'],
      },
      'Panther head': {
        ...{ price: usd(450), length: 210, size: [140, 150], color: 'color', editions: 3 },
        placements: ['arms', 'legs', 'chest'],
      },
      'Homeward bound': {
        ...{ price: usd(320), length: 150, size: [180, 220], color: 'color', editions: 1 },
        placements: ['back', 'chest', 'legs'],
      },
    },
  },
  bo: {
    policy: 'I answer within three days. Need another date? Write to me: the first change is free.',
    moveNoticeHours: null,
    deposit: { amount: 10_000, currency: 'USD' },
    services: { 'Half day': usd(700), 'Full day': usd(1200) },
    designs: {
      "Death's-head moth": {
        ...{ price: usd(500, 'from'), length: 240, size: [180, 180], color: 'black', editions: 1 },
        placements: ['back', 'chest'],
      },
      'Raven before the moon': {
        ...{ price: usd(450, 'from'), length: 240, size: [130, 170], color: 'black' },
        placements: ['arms', 'legs'],
      },
      'Sleeping moon': {
        ...{ price: usd(250), length: 90, size: [60, 70], color: 'black' },
        placements: ['arms', 'torso'],
      },
      'Dotwork lotus': { size: [80, 80], placements: ['neck', 'chest', 'arms'], color: 'black' },
    },
  },
};

interface DemoClient {
  readonly first_name: string;
  readonly last_name: string;
  readonly email: string;
  readonly phone_number?: string;
  readonly pronouns?: string;
  readonly notes?: string;
}

const ROSA: DemoClient = {
  ...{ first_name: 'Rosa', last_name: 'Quint', email: 'rosa.quint@example.com' },
  ...{ phone_number: '+12125550101', pronouns: 'she/her' },
  notes: 'Heals well. Likes the radio off.',
};
const OTTO: DemoClient = {
  ...{ first_name: 'Otto', last_name: 'Lind', email: 'otto.lind@example.com' },
  phone_number: '+12125550102',
};
const INES: DemoClient = {
  ...{ first_name: 'Ines', last_name: 'Vale', email: 'ines.vale@example.com' },
  ...{ phone_number: '+12125550103', notes: 'Latex allergy: use nitrile gloves.' },
};
const SAM: DemoClient = {
  ...{ first_name: 'Sam', last_name: 'Okafor', email: 'sam.okafor@example.com' },
  pronouns: 'they/them',
};
const MIRA: DemoClient = {
  ...{ first_name: 'Mira', last_name: 'Holt', email: 'mira.holt@example.com' },
  phone_number: '+12125550105',
};
const THEO: DemoClient = {
  ...{ first_name: 'Theo', last_name: 'Brandt', email: 'theo.brandt@example.com' },
};

/** An appointment, as `seed_week.ts` books it. */
export interface DemoAppointment {
  readonly client: DemoClient;
  readonly status: AppointmentStatus;
  /** The nth day on which the studio is open, counted from today: -1 is the last one before it. */
  readonly day: number;
  /** The start on the studio's clocks; unset for a request. */
  readonly at?: string;
  /** The length; 60 if unset. */
  readonly minutes?: number;
  readonly service?: string;
  readonly design?: string;
  readonly price?: Price;
  readonly location?: BodyLocation;
  readonly size?: TattooSize;
  readonly wishes?: string;
  readonly privateNotes?: string;
  /** The name of a tattoo of several sessions, the same in each. */
  readonly project?: string;
  /** Payments received; `amount` in cents. */
  readonly paid?: readonly (readonly [amount: number, method: PaymentMethod])[];
}

/** By username. */
export const DEMO_APPOINTMENTS: Readonly<Record<string, readonly DemoAppointment[]>> = {
  ana: [
    {
      ...{ client: ROSA, status: 'completed', day: -17, at: '10:00', minutes: 60 },
      ...{ service: 'Small flash piece', design: 'Open rose', price: usd(150), location: 'arms' },
      paid: [[15_000, 'card']],
    },
    {
      ...{ client: OTTO, status: 'completed', day: -14, at: '14:00', minutes: 120 },
      ...{ service: 'Flash piece', price: usd(280), location: 'legs', size: 'medium' },
      paid: [
        [5000, 'transfer'],
        [23_000, 'cash'],
      ],
    },
    {
      ...{ client: THEO, status: 'no_show', day: -11, at: '16:30', minutes: 60 },
      ...{ service: 'Small flash piece', price: usd(150) },
      paid: [[5000, 'transfer']],
    },
    {
      ...{ client: MIRA, status: 'completed', day: -9, at: '10:00', minutes: 180 },
      ...{ service: 'Custom session', price: usd(750), location: 'back', size: 'large' },
      ...{ project: 'Mira’s garden', wishes: 'A garden for my grandmother, over the shoulder.' },
      privateNotes: 'Outline done. Next: leaves from left to right, then the color.',
      paid: [[75_000, 'card']],
    },
    {
      ...{ client: SAM, status: 'cancelled', day: -6, at: '14:00', minutes: 120 },
      ...{ service: 'Flash piece', price: usd(250, 'from') },
    },
    {
      ...{ client: INES, status: 'completed', day: -4, at: '17:00', minutes: 60 },
      ...{ service: 'Small flash piece', price: usd(150), location: 'hands' },
      paid: [[15_000, 'cash']],
    },
    {
      // It is over, and the artist has not marked yet whether the client came.
      ...{ client: OTTO, status: 'confirmed', day: -1, at: '14:00', minutes: 60 },
      ...{ service: 'Small flash piece', price: usd(150), location: 'arms' },
    },
    {
      ...{ client: INES, status: 'confirmed', day: 1, at: '10:00', minutes: 120 },
      ...{ service: 'Flash piece', price: usd(250, 'from'), location: 'legs', size: 'medium' },
      wishes: 'The anchor, a bit larger than on the sheet.',
    },
    {
      ...{ client: SAM, status: 'confirmed', day: 1, at: '15:00', minutes: 150 },
      ...{ design: 'Homeward bound', price: usd(320), location: 'chest' },
      paid: [[5000, 'transfer']],
    },
    {
      ...{ client: MIRA, status: 'confirmed', day: 3, at: '14:00', minutes: 180 },
      ...{ service: 'Custom session', price: usd(750), location: 'back', size: 'large' },
      ...{ project: 'Mira’s garden' },
      privateNotes: 'Outline done. Next: leaves from left to right, then the color.',
    },
    {
      ...{ client: THEO, status: 'confirmed', day: 4, at: '11:30', minutes: 30 },
      ...{ service: 'Consultation', price: usd(0), wishes: 'A cover-up of an old name.' },
    },
    {
      ...{ client: ROSA, status: 'confirmed', day: 6, at: '16:00', minutes: 75 },
      ...{ design: 'Swallow', price: usd(180), location: 'neck', size: 'small' },
    },
    {
      ...{ client: OTTO, status: 'held', day: 7, at: '10:00', minutes: 60 },
      ...{ service: 'Small flash piece', price: usd(150) },
    },
    {
      ...{ client: THEO, status: 'offered', day: 8, at: '14:00', minutes: 210 },
      // This design has no number of editions: with one, the offer would shorten how long the page is cached.
      ...{ design: 'Sacred heart', price: usd(450), location: 'legs', size: 'large' },
      wishes: 'Can it face left?',
    },
    {
      ...{ client: ROSA, status: 'requested', day: 0, design: 'Dagger through rose' },
      ...{ price: usd(380), location: 'arms', size: 'medium' },
      wishes: 'Inner forearm, please. Any afternoon suits me.',
    },
    {
      ...{ client: SAM, status: 'requested', day: 0, design: 'Dagger through rose' },
      ...{ price: usd(380), location: 'legs' },
      wishes: 'I saw that there is only one. I would love it!',
    },
    {
      ...{ client: MIRA, status: 'declined', day: 0 },
      wishes: 'A portrait of my dog, as a photo.',
    },
    {
      ...{ client: INES, status: 'expired', day: 9, at: '17:00', minutes: 60 },
      ...{ service: 'Small flash piece', price: usd(150) },
    },
  ],
  bo: [
    {
      ...{ client: INES, status: 'completed', day: -5, at: '11:00', minutes: 240 },
      ...{ design: 'Raven before the moon', price: usd(450, 'from'), location: 'arms' },
      paid: [[52_000, 'card']],
    },
    {
      ...{ client: MIRA, status: 'confirmed', day: 2, at: '11:00', minutes: 240 },
      ...{ design: "Death's-head moth", price: usd(500, 'from'), location: 'back' },
    },
    {
      ...{ client: OTTO, status: 'offered', day: 5, at: '12:00', minutes: 90 },
      ...{ design: 'Sleeping moon', price: usd(250), location: 'shoulder' },
    },
    {
      ...{ client: ROSA, status: 'requested', day: 0, location: 'legs', size: 'large' },
      wishes: 'A mandala around the knee. I am free on Mondays.',
    },
  ],
};

export interface DemoMessage {
  readonly client: DemoClient;
  readonly text: string;
  /** How many hours before the first start it came. */
  readonly hoursAgo: number;
  readonly isRead: boolean;
}

/** By username. */
export const DEMO_MESSAGES: Readonly<Record<string, readonly DemoMessage[]>> = {
  ana: [
    {
      ...{ client: THEO, hoursAgo: 3, isRead: false },
      text: 'Hi! Do you also work over scars? I have one of six months on my forearm.',
    },
    {
      ...{ client: MIRA, hoursAgo: 50, isRead: true },
      text: 'It heals so well. Thank you for your patience with me and my questions!',
    },
  ],
};
