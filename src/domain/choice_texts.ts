import type { LOCATIONS, PREFERRED_CONTACTS, SIZES } from './appointment.ts';

/** Words for the form's choices, in the order they are offered (specification, section 3). */
export const LOCATION_TEXTS: Record<(typeof LOCATIONS)[number], string> = {
  arms: 'Arms',
  legs: 'Legs',
  torso: 'Torso',
  chest: 'Chest',
  back: 'Back',
  hands: 'Hands',
  head: 'Head',
  neck: 'Neck',
  shoulder: 'Shoulder',
  other: 'Other',
};

export const SIZE_TEXTS: Record<(typeof SIZES)[number], string> = {
  small: 'Small (less than 3 inches)',
  medium: 'Medium (4 to 8 inches)',
  large: 'Large (9 to 10 inches)',
  'extra-large': 'Extra-large (11 inches or larger)',
  other: 'Other',
};

export const CONTACT_TEXTS: Record<(typeof PREFERRED_CONTACTS)[number], string> = {
  email: 'Email',
  phone: 'Phone',
  text: 'Text',
};
