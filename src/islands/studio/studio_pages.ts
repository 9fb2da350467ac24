import type { IconName } from './Icon.tsx';

/** The pages of the studio, in the order of its navigation. */
export const STUDIO_PAGES = [
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
  // Only superusers see it.
  { id: 'admin', name: 'Admin', href: '/studio/admin' },
] as const satisfies readonly { id: IconName; name: string; href: string }[];

export type StudioPage = (typeof STUDIO_PAGES)[number];
export type StudioPageId = StudioPage['id'];
