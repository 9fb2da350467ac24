// The tab's session storage, and the local storage that all tabs share. If forbidden or off, they are
// empty. If full, forbidden or off, they store nothing: the page still works, but a reload and other tabs
// do not know the item.

/** The result of `use`; null if it throws, as where storage is forbidden, off or full. */
function attempt<T>(use: () => T): T | null {
  try {
    return use();
  } catch {
    return null;
  }
}

/** @param find returns the storage; where storage is forbidden, even reading `sessionStorage` throws */
function createItems(find: () => Storage) {
  const write = (key: string, text: string | null) =>
    text === null ? find().removeItem(key) : find().setItem(key, text);
  return {
    getText: (key: string) => attempt(() => find().getItem(key)),
    /** The parsed JSON of an item; null when it is missing or unreadable. */
    getJson: (key: string): unknown => attempt(() => JSON.parse(find().getItem(key) ?? 'null')),
    /** Stores a text; null removes the item. @returns whether it is stored */
    setText: (key: string, text: string | null) => attempt(() => write(key, text)) !== null,
    /** Stores a value, unless JSON cannot represent it; null removes the item. */
    setJson: (key: string, value: object | null) =>
      attempt(() => write(key, value && JSON.stringify(value))),
  };
}

/** Items of this tab, until it is closed. */
export const sessionItems = createItems(() => sessionStorage);
/** Items that all tabs of the browser share. */
export const localItems = createItems(() => localStorage);
