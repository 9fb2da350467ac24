/** The page where visitors find artists. */
import * as z from 'zod/mini';
import { SCHEDULING_TYPES } from '#domain/studio/artist.ts';
import { STYLES } from '#domain/studio/style.ts';
import { BooksStatus } from './books.ts';
import { Id, namedObject, TimestampOutput } from './common.ts';
import { ImageSource, UploadedImage } from './image.ts';

/** Any text: a city or style without artists finds none, and text that is not a position counts as none. */
export const ExploreQuery = z.object({
  city: z.optional(z.string().check(z.describe('The city of the studio, in any case of letters'))),
  style: z.optional(z.string().check(z.describe('A style of the artist, in any case of letters'))),
  after: z.optional(z.string().check(z.describe('From `next`: the last open artist before'))),
  closed_after: z.optional(
    z
      .string()
      .check(
        z.describe(
          'From `next`: the last closed artist before; without `after`, no open ones are listed',
        ),
      ),
  ),
});
export type ExploreQuery = z.output<typeof ExploreQuery>;

const cardFields = {
  id: Id,
  username: z.string(),
  full_name: z.string(),
  avatar_url: z.nullable(z.string()),
  avatar_sources: z.array(ImageSource),
  city: z.string(),
};

/** An artist who takes bookings now. */
export const OpenArtist = namedObject('OpenArtist', {
  ...cardFields,
  state: z.string(),
  studio_name: z.string(),
  styles: z.array(z.enum(STYLES)),
  scheduling_type: z.enum(SCHEDULING_TYPES),
  books: BooksStatus,
  pictures: z
    .array(UploadedImage)
    .check(z.describe('At most three: available designs, then the portfolio')),
  next_opening: z
    .nullable(TimestampOutput)
    .check(
      z.describe(
        'The first free time of the shortest service until the end of the month after the next; null without one, while the artist takes requests, and while books are closed',
      ),
    ),
  time_zone: z.string(),
});
export type OpenArtist = z.output<typeof OpenArtist>;

/** An artist who takes no bookings now. */
export const ClosedArtist = namedObject('ClosedArtist', cardFields);
export type ClosedArtist = z.output<typeof ClosedArtist>;

export const ExplorePage = namedObject('ExplorePage', {
  cities: z
    .array(z.string())
    .check(z.describe('At most 8: where most of the newest 100 artists are, in their spelling')),
  styles: z
    .array(z.string())
    .check(z.describe('At most 8: those of most of the newest 100 artists')),
  open_artists: z.array(OpenArtist).check(z.describe('At most 24, newest sign-up first')),
  closed_artists: z.array(ClosedArtist).check(z.describe('At most 24, newest sign-up first')),
  next: z
    .nullable(z.union([z.object({ after: z.string() }), z.object({ closed_after: z.string() })]))
    .check(z.describe('The position of the next page; null on the last page')),
});
export type ExplorePage = z.output<typeof ExplorePage>;
