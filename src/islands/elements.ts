import type { ReactElement } from 'react';

/**
 * Children that are elements, and no text: text beside other children breaks when the browser
 * translates the page (docs/decisions, 0033).
 */
export type Elements = ReactElement | false | null | undefined | readonly Elements[];
