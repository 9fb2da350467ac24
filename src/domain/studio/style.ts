/** The styles that artists can name and visitors can choose on Explore, as they are stored and shown. */
export const STYLES = [
  'Anime',
  'Black and grey',
  'Blackwork',
  'Chicano',
  'Dotwork',
  'Fine line',
  'Geometric',
  'Illustrative',
  'Japanese',
  'Lettering',
  'Minimalist',
  'Neo-traditional',
  'New school',
  'Ornamental',
  'Realism',
  'Traditional',
  'Tribal',
  'Watercolor',
] as const;
export type Style = (typeof STYLES)[number];

/** How many styles an artist can name. */
export const MAX_STYLES = 5;

/** Stored styles in the order of the list, without those that it no longer has. */
export function toStyles(stored: readonly string[]): Style[] {
  return STYLES.filter((style) => stored.includes(style));
}

/** The style with this name, in any case of letters; undefined when there is none. */
export function findStyle(name: string): Style | undefined {
  return STYLES.find((style) => style.toLowerCase() === name.toLowerCase());
}
