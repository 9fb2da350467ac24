import Bowser from 'bowser';

/** No browser sends a longer header `User-Agent`. */
const MAX_LENGTH = 1000;
/** The names that Bowser knows. Its other names are words of the header, which anyone may write. */
const BROWSERS = new Set(Object.values(Bowser.BROWSER_MAP));
const SYSTEMS = new Set(Object.values(Bowser.OS_MAP));

/** A browser and its system in words, such as 'Chrome on Android'; null if neither is known. */
export function browserName(userAgent: string | undefined): string | null {
  if (!userAgent || userAgent.length > MAX_LENGTH) return null;
  const { browser, os } = Bowser.parse(userAgent);
  const names = [
    browser.name && BROWSERS.has(browser.name) ? browser.name : '',
    os.name && SYSTEMS.has(os.name) ? os.name : '',
  ];
  return names.filter((name) => name !== '').join(' on ') || null;
}
