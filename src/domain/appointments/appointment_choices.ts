/** Choices in the client's form. Without the rules, so that the form's script stays small. */

/** Where on the body the tattoo goes. */
export const BODY_LOCATIONS = [
  'arms',
  'legs',
  'torso',
  'chest',
  'back',
  'hands',
  'head',
  'neck',
  'shoulder',
  'other',
] as const;
export type BodyLocation = (typeof BODY_LOCATIONS)[number];

/** How large the tattoo is to be. */
export const TATTOO_SIZES = ['small', 'medium', 'large', 'extra-large', 'other'] as const;
export type TattooSize = (typeof TATTOO_SIZES)[number];

/** How the client would like to be reached. */
export const PREFERRED_CONTACTS = ['email', 'phone', 'text'] as const;
export type PreferredContact = (typeof PREFERRED_CONTACTS)[number];
