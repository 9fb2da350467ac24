/** The most items of lists that the API sends or an account may have, and the lengths of two texts. */

/** The most items that the API lists in one response. */
export const MAX_PAGE_SIZE = 200;

/** The most pictures of a kind, and designs, that the list of all artists has for each artist. */
export const MAX_LISTED_IMAGES = 50;

/** The most characters of a search text. */
export const MAX_SEARCH_LENGTH = 200;

/** The most that one account may have of each: far more than an artist needs. */
export const MAX_SERVICES = 200;
export const MAX_DESIGNS = 2000;
export const MAX_PORTFOLIO_PICTURES = 2000;
/** Usernames that an artist had before: nobody else may take them. */
export const MAX_FORMER_USERNAMES = 20;
/** Dates with opening hours of their own. */
export const MAX_SCHEDULE_EXCEPTIONS = 1000;
/** Of the clients that the artist enters; each booking of a new client may add one more. */
export const MAX_CLIENTS = 20_000;

/** Appointments in one answer to `POST /appointments/time_changes`. */
export const MAX_TIME_CHANGES = 1000;

/** Recorded payments for one appointment, which may be paid in parts. */
export const MAX_PAYMENTS = 50;

/** Characters of the artist's notes about a client. */
export const MAX_CLIENT_NOTES_LENGTH = 10_000;
