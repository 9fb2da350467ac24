// The tab's session storage, and the local storage that all tabs share. If forbidden or off, they are
// empty. If full, forbidden or off, they store nothing: the page still works, but a reload and other tabs
// do not know the item.

/** The result; null if it fails, as everything does in a storage that is forbidden or off. */
function attempt<T>(use: () => T): T | null {
  try {
    return use();
  } catch {
    return null;
  }
}

export function getSessionItem(key: string): string | null {
  return attempt(() => sessionStorage.getItem(key));
}

/** The parsed JSON of an item; null when it is missing or unreadable. */
export function getSessionJson(key: string): unknown {
  return attempt(() => JSON.parse(sessionStorage.getItem(key) ?? 'null'));
}

/** Stores a value as JSON, unless JSON cannot represent it. */
export function setSessionJson(key: string, value: unknown): void {
  attempt(() => sessionStorage.setItem(key, JSON.stringify(value)));
}

/** Stores an item; null removes it. */
export function setSessionItem(key: string, text: string | null): void {
  attempt(() =>
    text === null ? sessionStorage.removeItem(key) : sessionStorage.setItem(key, text),
  );
}

/** An item that all tabs share. */
export function getLocalItem(key: string): string | null {
  return attempt(() => localStorage.getItem(key));
}

/** The parsed JSON of an item that all tabs share; null when it is missing or unreadable. */
export function getLocalJson(key: string): unknown {
  return attempt(() => JSON.parse(localStorage.getItem(key) ?? 'null'));
}

/** Stores an item for all tabs. @returns whether it is stored */
export function setLocalItem(key: string, text: string): boolean {
  return attempt(() => localStorage.setItem(key, text)) === undefined;
}

/** Stores a value as JSON for all tabs; null removes the item. */
export function setLocalJson(key: string, value: object | null): void {
  attempt(() =>
    value === null
      ? localStorage.removeItem(key)
      : localStorage.setItem(key, JSON.stringify(value)),
  );
}
