// The tab's session storage, and the local storage that all tabs share. If forbidden, they are empty.
// If full or forbidden, they store nothing.

export function getSessionItem(key: string): string | null {
  try {
    return sessionStorage.getItem(key);
  } catch {
    return null;
  }
}

/** The parsed JSON of an item; null when it is missing or unreadable. */
export function getSessionJson(key: string): unknown {
  try {
    return JSON.parse(getSessionItem(key) ?? 'null');
  } catch {
    return null;
  }
}

/** Stores a value as JSON, unless JSON cannot represent it. */
export function setSessionJson(key: string, value: unknown): void {
  try {
    setSessionItem(key, JSON.stringify(value));
  } catch {
    // JSON cannot represent the value: the page still works without the item.
  }
}

/** Stores an item; null removes it. */
export function setSessionItem(key: string, text: string | null): void {
  try {
    if (text === null) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, text);
  } catch {
    // The storage is full or forbidden: the page still works, but a reload loses the item.
  }
}

/** The parsed JSON of an item that all tabs share; null when it is missing or unreadable. */
export function getLocalJson(key: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(key) ?? 'null');
  } catch {
    return null;
  }
}

/** Stores a value as JSON for all tabs; null removes the item. */
export function setLocalJson(key: string, value: object | null): void {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // The storage is full or forbidden: the page still works, but other tabs do not know the item.
  }
}
