import type { BODY_LOCATIONS, PREFERRED_CONTACTS, TATTOO_SIZES } from './appointment.ts';

/** Words for the form's choices, in the order they are offered (specification, section 3). */
export const BODY_LOCATION_LABELS: Record<(typeof BODY_LOCATIONS)[number], string> = {
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

export const TATTOO_SIZE_LABELS: Record<(typeof TATTOO_SIZES)[number], string> = {
  small: 'Small (less than 3 inches)',
  medium: 'Medium (4 to 8 inches)',
  large: 'Large (9 to 10 inches)',
  'extra-large': 'Extra-large (11 inches or larger)',
  other: 'Other',
};

export const PREFERRED_CONTACT_LABELS: Record<(typeof PREFERRED_CONTACTS)[number], string> = {
  email: 'Email',
  phone: 'Phone',
  text: 'Text',
};
