/** The most items that the API lists in one response. */
export const MAX_PAGE_SIZE = 200;

/** The most characters of a search text. */
export const MAX_SEARCH_LENGTH = 200;
