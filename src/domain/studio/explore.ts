import type { Instant } from '../time/time.ts';

/** How many open artists, and how many closed ones, a page of Explore lists. */
export const EXPLORE_PAGE_SIZE = 24;
/** How many cities, and how many styles, Explore offers to choose from. */
export const EXPLORE_CHOICES = 8;
/** From how many of the newest artists these cities and styles are taken. */
export const EXPLORE_CHOICES_FROM = 100;
/** How many pictures of each artist Explore shows. */
export const EXPLORE_PICTURES = 3;

/** The place of an artist in the list: by sign-up, newest first, and then by id. */
export interface ListPosition {
  readonly createdAt: Instant;
  readonly artistId: string;
}

const POSITION = /^(\d{1,14})\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** A position as the address of a page has it. */
export function formatPosition({ createdAt, artistId }: ListPosition): string {
  return `${createdAt}.${artistId}`;
}

/** Where a page of Explore begins: after an open artist, or after a closed one; neither on the first page. */
interface PageStart {
  readonly after?: ListPosition | undefined;
  readonly closedAfter?: ListPosition | undefined;
}

/** Parses the parameters of a page. Text that is not a position counts as none. With both, only `after` counts. */
export function parsePageStart(query: {
  readonly after?: string | undefined;
  readonly closed_after?: string | undefined;
}): PageStart {
  const after = parsePosition(query.after ?? '');
  return after ? { after } : { closedAfter: parsePosition(query.closed_after ?? '') };
}

/** Undefined for any other text than `formatPosition` writes. */
function parsePosition(text: string): ListPosition | undefined {
  const [, milliseconds, artistId] = POSITION.exec(text) ?? [];
  if (milliseconds === undefined || artistId === undefined) return undefined;
  const position = { createdAt: Number(milliseconds), artistId };
  return formatPosition(position) === text ? position : undefined;
}
