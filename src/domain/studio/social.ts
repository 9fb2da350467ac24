import { toPlainText } from '../text/typed_text.ts';

/** The part of a profile link before the handle. */
const PROFILE_URL_PREFIXES = {
  facebook: /^(?:https?:\/\/)?(?:www\.|m\.)?(?:facebook|fb)\.com(?:\/|$)/i,
  instagram: /^(?:https?:\/\/)?(?:www\.)?instagram\.com(?:\/|$)/i,
};

export type SocialNetwork = keyof typeof PROFILE_URL_PREFIXES;

/** The bare handle of `handle`, `@handle` or a profile link; null for any other text. */
export function parseSocialHandle(network: SocialNetwork, typed: string): string | null {
  const handle = toPlainText(typed)
    .replace(PROFILE_URL_PREFIXES[network], '')
    .replace(/^profile\.php\?(?:.*&)?id=(\d+).*$/, '$1') // Facebook profiles without a name
    .replace(/[?#].*$/, '')
    .replace(/\/+$/, '')
    .replace(/^@/, '');
  return /^[A-Za-z0-9._-]{1,100}$/.test(handle) ? handle : null;
}

/** The link to a profile by its bare handle. */
export function socialProfileUrl(network: SocialNetwork, handle: string): string {
  return `https://www.${network}.com/${handle}`;
}
