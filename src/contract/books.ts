import * as z from 'zod/mini';
import { BOOKS_STATES } from '#domain/booking/books.ts';
import { namedObject } from './common.ts';

/** Whether an artist takes new bookings and requests. `opens_at` and `draw` are always null so far. */
export const BooksStatus = namedObject('Books', {
  is_open: z.boolean(),
  opens_at: z.null(),
  draw: z.null(),
});

/** What the artist sees of their own books. */
export const OwnBooks = namedObject('OwnBooks', {
  ...BooksStatus.shape,
  state: z
    .nullable(z.enum(BOOKS_STATES))
    .check(z.describe('What the artist has set; null: open, by `booking_range` if managed')),
});

/** What the artist sets; null removes the setting. */
export const BooksChange = z.nullable(z.strictObject({ state: z.enum(BOOKS_STATES) }));
