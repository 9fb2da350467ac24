import { type Expression, type InferResult, sql } from 'kysely';
import { type Cacheable, tag } from '#cache/policy.ts';
import type { ListPage, PageQuery } from '#contract/common.ts';
import type { Design, DesignChanges, NewDesign } from '#contract/design.ts';
import { editionsLeft } from '#domain/booking/editions.ts';
import { InvalidInput, refuse, requireFound } from '#domain/refusal.ts';
import type { DesignStatus } from '#domain/studio/artwork.ts';
import type { Database } from '#server/database/connect.ts';
import { EDITION_USE, listEditionUses, USED_EDITIONS } from '#server/database/editions.ts';
import { hasRow } from '#server/database/has_row.ts';
import { DESIGN_IMAGE_COLUMNS, deleteImage } from '#server/database/images.ts';
import { moveToPosition, nextPosition } from '#server/database/ordered_lists.ts';
import { loadPage } from '#server/database/pagination.ts';
import type { ImageStore } from '#server/images/image_store.ts';
import { change } from '../change.ts';
import type { Context } from '../context.ts';
import { toChangedPrice } from '../currency.ts';
import { loadPublicArtist } from '../public_artist.ts';
import { findService } from './services.ts';
import { deleteImageFiles, storeImages, type UploadedFile } from './store_images.ts';
import { toImage } from './to_image.ts';

/** Clients see designs with these statuses. `claimed`: taken by a client. */
export const VISIBLE_STATUSES: readonly DesignStatus[] = ['available', 'claimed'];

const COLUMNS = [
  'designs.id',
  'designs.name',
  'designs.description',
  'designs.status',
  'designs.price',
  'designs.duration_minutes',
  'designs.service_id',
  'designs.width_mm',
  'designs.height_mm',
  'designs.placements',
  'designs.color',
  'designs.editions',
  EDITION_USE,
  ...DESIGN_IMAGE_COLUMNS,
] as const;

/**
 * Selects an artist's designs, in the order that the artist chose.
 * @param kind `bookable`: those that clients can book now. `listed`: all that are available, then those with a
 *   limited number of editions that are taken
 */
export function selectDesigns(
  database: Database,
  artistId: string | Expression<string>,
  kind: 'all' | 'listed' | 'bookable',
) {
  return database
    .selectFrom('designs')
    .innerJoin('images', 'images.id', 'designs.image_id')
    .select(COLUMNS)
    .where('designs.artist_id', '=', artistId)
    .where('designs.deleted_at', 'is', null)
    .$if(kind === 'listed', (query) =>
      query
        .where(
          sql<boolean>`(designs.status = 'available'
            OR (designs.status = 'claimed' AND designs.editions IS NOT NULL))`,
        )
        // So that a limit leaves out claimed designs first.
        .orderBy(sql`designs.status = 'claimed'`),
    )
    .$if(kind === 'bookable', (query) =>
      query
        .where('designs.status', '=', 'available')
        .where(sql<boolean>`(designs.editions IS NULL OR designs.editions > ${USED_EDITIONS})`),
    )
    .orderBy('designs.position')
    .orderBy('designs.created_at')
    .orderBy('designs.id');
}

/** Finds a design of this artist only, in any status. */
export function findArtistDesign(database: Database, artistId: string, id: string) {
  return selectDesigns(database, artistId, 'all').where('designs.id', '=', id).executeTakeFirst();
}

/** Finds a design that clients see, unless its artist is inactive or a superuser. */
export function findPublicDesign(database: Database, id: string) {
  return database
    .selectFrom('designs')
    .innerJoin('images', 'images.id', 'designs.image_id')
    .innerJoin('artists', 'artists.id', 'designs.artist_id')
    .select(COLUMNS)
    .select(['designs.artist_id', 'artists.username'])
    .where('designs.id', '=', id)
    .where('designs.status', 'in', VISIBLE_STATUSES)
    .where('designs.deleted_at', 'is', null)
    .where('artists.is_active', '=', true)
    .where('artists.is_superuser', '=', false)
    .executeTakeFirst();
}

type DesignRow = InferResult<ReturnType<typeof selectDesigns>>[number];

/** The username of the artist who has, or had, the design; undefined without a public page. */
export async function findUsernameOfDesign(database: Database, id: string) {
  const row = await database
    .selectFrom('designs')
    .innerJoin('artists', 'artists.id', 'designs.artist_id')
    .select('artists.username')
    .where('designs.id', '=', id)
    .where('artists.is_active', '=', true)
    .where('artists.is_superuser', '=', false)
    .executeTakeFirst();
  return row?.username;
}

/** Whether this artist has, or had, the design, also if it was deleted. */
export function ownsDesign(database: Database, artistId: string, id: string): Promise<boolean> {
  const design = database.selectFrom('designs').select('id').where('id', '=', id);
  return hasRow(design.where('artist_id', '=', artistId));
}

/** The designs that clients can book. */
export async function listAvailableDesigns(
  context: Context,
  username: string,
  page: PageQuery,
): Promise<Cacheable<ListPage<Design>>> {
  const { id } = await loadPublicArtist(context, username);
  const value = await listDesigns(context, id, page, 'bookable');
  return toCacheableDesigns(id, value, await listEditionUses(context.database, id));
}

/** All designs of an artist, or those that clients can book. */
export async function listDesigns(
  { database, images }: Pick<Context, 'database' | 'images'>,
  artistId: string,
  page: PageQuery,
  kind: 'all' | 'bookable',
): Promise<ListPage<Design>> {
  const { rows, count } = await loadPage(selectDesigns(database, artistId, kind), page);
  return { data: rows.map((row) => toDesign(images, row)), count };
}

/**
 * A design that is not hidden: clients can book it, or a client has taken it (`claimed`).
 * @param callerId the artist who is logged in, if any; they also see their own hidden designs.
 *   No cache stores the response to a request with a token, so others get no hidden design
 */
export async function loadDesign(
  context: Context,
  id: string,
  callerId: string | undefined,
): Promise<Cacheable<Design>> {
  const row = await findPublicDesign(context.database, id);
  if (row) {
    context.noteArtist(row.artist_id);
    return toCacheableDesigns(row.artist_id, toDesign(context.images, row), [row]);
  }
  if (callerId === undefined) throw refuse('not_found');
  return toCacheableDesigns(callerId, await loadOwnDesign(context, callerId, id), []);
}

/**
 * The value may be cached until the artist or one of their designs changes. If appointments use up
 * editions of a design, it changes with the artist's calendar too, and when a deadline passes.
 */
function toCacheableDesigns<T>(
  artistId: string,
  value: T,
  rows: readonly LimitedDesign[],
): Cacheable<T> {
  const { tags, until } = editionLimits(artistId, rows);
  return { value, tags: [tag.artist(artistId), tag.designs(artistId), ...tags], until };
}

/** The part of a design's row that says how many of its editions are used. */
type LimitedDesign = Pick<DesignRow, 'edition_use'>;

/** For a value that shows these designs: its further tags, and when deadlines change it without a write. */
export function editionLimits(
  artistId: string,
  rows: readonly LimitedDesign[],
): Pick<Cacheable<unknown>, 'tags' | 'until'> {
  const uses = rows.map(({ edition_use }) => edition_use).filter((use) => use !== null);
  const deadlines = uses.map(({ frees_at }) => frees_at).filter((deadline) => deadline !== null);
  return {
    tags: uses.length === 0 ? [] : [tag.availability(artistId)],
    until: deadlines.length === 0 ? null : Math.min(...deadlines),
  };
}

async function loadOwnDesign(
  { database, images }: Pick<Context, 'database' | 'images'>,
  artistId: string,
  id: string,
): Promise<Design> {
  return toDesign(images, requireFound(await findArtistDesign(database, artistId, id)));
}

/** Adds a design at the end of the artist's list. @throws InvalidInput when the picture is damaged */
export async function createDesign(
  context: Context,
  artistId: string,
  { file, ...design }: NewDesign & { readonly file: UploadedFile },
): Promise<Design> {
  const invalidates = [tag.designs(artistId)];
  const upload = { artistId, kind: 'design', title: toImageTitle(design), invalidates } as const;
  const [id] = await storeImages(context, upload, [file], async (transaction, image) => {
    const position = nextPosition('designs', artistId);
    const row = await transaction
      .insertInto('designs')
      .values({ ...design, artist_id: artistId, image_id: image.id, position })
      .returning('id')
      .executeTakeFirstOrThrow();
    return row.id;
  });
  return loadOwnDesign(context, artistId, requireFound(id));
}

/**
 * Undefined fields stay unchanged; `position` counts from 0. The title of the image follows the new texts.
 * @throws InvalidInput for a service that the artist does not have
 */
export async function updateDesign(
  context: Context,
  artistId: string,
  id: string,
  { position, duration, price, ...changes }: DesignChanges,
): Promise<Design> {
  const invalidates = [tag.designs(artistId)];
  await change(context, { lock: 'artist', artistId, invalidates }, async ({ database }) => {
    if (position !== undefined)
      await moveToPosition(database, 'designs', { id, artistId }, position);
    if (changes.service_id) await requireOwnService(database, artistId, changes.service_id);
    const updated = await database
      .updateTable('designs')
      .set({
        ...changes,
        // A design has a length of its own or a service: the one that is set removes the other.
        duration_minutes: changes.service_id ? null : duration,
        service_id: duration ? null : changes.service_id,
        price: await toChangedPrice(database, artistId, price),
        // An UPDATE must set a column, even without changes: `artist_id` keeps its value.
        artist_id: artistId,
      })
      .where('id', '=', id)
      .where('artist_id', '=', artistId)
      .where('deleted_at', 'is', null)
      .returning(['name', 'description', 'image_id'])
      .executeTakeFirst();
    const design = requireFound(updated);
    await database
      .updateTable('images')
      .set({ title: toImageTitle(design) })
      .where('id', '=', design.image_id)
      .where('artist_id', '=', artistId)
      .execute();
  });
  return loadOwnDesign(context, artistId, id);
}

/** Returns the title of a design's image, which is also its alternative text on pages. */
function toImageTitle({ name, description }: Pick<Design, 'name' | 'description'>): string {
  return description || name;
}

/** @throws InvalidInput for a service that the artist does not have */
async function requireOwnService(
  database: Database,
  artistId: string,
  serviceId: string,
): Promise<void> {
  if (!(await findService(database, artistId, serviceId)))
    throw new InvalidInput(['body', 'service_id'], 'You have no such service');
}

/**
 * Deletes a design, and its image unless an appointment shows it. The row of the design stays for the
 * appointments and links that refer to it.
 */
export async function deleteDesign(context: Context, artistId: string, id: string): Promise<void> {
  const invalidates = [tag.designs(artistId)];
  const imageId = await change(context, { invalidates }, async ({ database }, now) => {
    const deleted = await database
      .updateTable('designs')
      .set({ deleted_at: new Date(now) })
      .where('id', '=', id)
      .where('artist_id', '=', artistId)
      .where('deleted_at', 'is', null)
      .returning('image_id')
      .executeTakeFirst();
    const { image_id } = requireFound(deleted);
    const showing = database.selectFrom('appointments').where('design_id', '=', id);
    if (image_id === null || (await hasRow(showing.select('id').limit(sql.lit(1))))) return null;
    await database.updateTable('designs').set({ image_id: null }).where('id', '=', id).execute();
    await deleteImage(database, artistId, 'design', image_id);
    return image_id;
  });
  if (imageId !== null) await deleteImageFiles(context, [imageId]);
}

/** `id` is the design's, `image_id` the image's. */
export function toDesign(images: ImageStore, row: DesignRow): Design {
  const { id, name, description, status, image_id, price, duration_minutes, editions } = row;
  return {
    id,
    name,
    description,
    status,
    image: toImage(images, { ...row, id: image_id }),
    price,
    duration: duration_minutes,
    service_id: row.service_id,
    width_mm: row.width_mm,
    height_mm: row.height_mm,
    placements: [...row.placements],
    color: row.color,
    editions,
    left: editionsLeft(editions, row.edition_use?.used ?? 0),
  };
}
