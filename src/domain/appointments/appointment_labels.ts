import type { BodyLocation, PreferredContact, TattooSize } from './appointment_choices.ts';

/** The labels of the choices in the client's form, in the order of the form. */

export const BODY_LOCATION_LABELS: Record<BodyLocation, string> = {
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

export const TATTOO_SIZE_LABELS: Record<TattooSize, string> = {
  small: 'Small (less than 3 inches)',
  medium: 'Medium (4 to 8 inches)',
  large: 'Large (9 to 10 inches)',
  'extra-large': 'Extra-large (11 inches or larger)',
  other: 'Other',
};

export const PREFERRED_CONTACT_LABELS: Record<PreferredContact, string> = {
  email: 'Email',
  phone: 'Phone',
  text: 'Text',
};
