import type { IconName } from './Icon.tsx';

/** The rooms of the studio, in the order of its navigation. */
export const SECTIONS = [
  { id: 'home', name: 'Home', href: '/' },
  { id: 'appointments', name: 'Appointments', href: '/studio/appointments' },
  { id: 'calendar', name: 'Calendar', href: '/studio/calendar' },
  { id: 'hours', name: 'Hours', href: '/studio/hours' },
  { id: 'services', name: 'Services', href: '/studio/services' },
  { id: 'designs', name: 'Designs', href: '/studio/designs' },
  { id: 'portfolio', name: 'Portfolio', href: '/studio/portfolio' },
  { id: 'clients', name: 'Clients', href: '/studio/clients' },
  { id: 'profile', name: 'Profile', href: '/studio/profile' },
  { id: 'billing', name: 'Billing', href: '/studio/billing' },
] as const satisfies readonly { id: IconName; name: string; href: string }[];

export type Section = (typeof SECTIONS)[number]['id'];

/** On a phone these are always at hand; the others are behind More. */
export const AT_HAND: readonly Section[] = ['home', 'appointments', 'calendar', 'designs'];
