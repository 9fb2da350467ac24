import type { ReactElement } from 'react';

/** Children without text: text beside elements breaks in translated pages (docs/decisions, 0033). */
export type Elements = ReactElement | false | null | undefined | readonly Elements[];
