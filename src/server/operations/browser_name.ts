import Bowser from 'bowser';

/** Longer headers are no browser's. */
const MAX_LENGTH = 1000;

/** A browser and its system in words, such as 'Chrome on Android'; null if neither is known. */
export function browserName(userAgent: string | undefined): string | null {
  if (!userAgent || userAgent.length > MAX_LENGTH) return null;
  const { browser, os } = Bowser.parse(userAgent);
  if (!browser.name) return os.name || null;
  return os.name ? `${browser.name} on ${os.name}` : browser.name;
}
