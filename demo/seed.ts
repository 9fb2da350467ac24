/** Fills an empty database with the demo artists, so that a first start shows studios at work. */
import { readFile } from 'node:fs/promises';
import { requireFound } from '#domain/refusal.ts';
import type { ImageKind } from '#domain/studio/artwork.ts';
import { takeLock } from '#server/database/advisory_lock.ts';
import { findArtistById, insertArtist, updateSchedule } from '#server/database/artists.ts';
import type { Database, Transaction } from '#server/database/connect.ts';
import type { ImageStore } from '#server/images/image_store.ts';
import { DEMO_ARTISTS, DEMO_PASSWORD_HASH, type DemoArtist } from './demo_artists.ts';
import { ON_REQUEST } from './demo_week.ts';
import type { DemoImage, DemoImages, DrawingsOfArtist } from './drawings.ts';
import { seedDemoWeek } from './seed_week.ts';

const ENCODED_FOLDER = new URL('./encoded/', import.meta.url);
const FORMATS = ['avif', 'webp'] as const;

interface DemoContext {
  readonly database: Database;
  readonly images: ImageStore;
}

/** Adds the demo artists with their pictures, bookings and messages, unless the database has an artist. */
export async function seedDemoArtists({ database, images }: DemoContext): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    await takeLock(transaction, 'demo');
    const anyone = await transaction.selectFrom('artists').select('id').limit(1).executeTakeFirst();
    if (anyone) return;
    const drawings: DemoImages = JSON.parse(
      await readFile(new URL('drawings.json', ENCODED_FOLDER), 'utf8'),
    );
    for (const demoArtist of DEMO_ARTISTS) {
      const { artist, studio, schedule } = demoArtist;
      const { username } = artist;
      const id = await insertDemoArtist(transaction, images, demoArtist, drawings[username]);
      const { studio_id: studioId } = requireFound(await findArtistById(transaction, id));
      const seeded = { id, username, studioId, zone: studio.time_zone, schedule };
      await seedDemoWeek(transaction, seeded, Date.now());
    }
  });
}

async function insertDemoArtist(
  transaction: Transaction,
  images: ImageStore,
  { artist, studio, schedule, bookingRange, services }: DemoArtist,
  drawings: DrawingsOfArtist | undefined,
): Promise<string> {
  const artistId = await insertArtist(
    transaction,
    { ...artist, password_hash: DEMO_PASSWORD_HASH, email_proven_at: new Date() },
    studio,
  );
  await updateSchedule(transaction, artistId, { ...schedule, booking_range: bookingRange });
  await transaction
    .insertInto('services')
    .values(services.map((service, position) => ({ ...service, artist_id: artistId, position })))
    .execute();
  if (!drawings) return artistId;
  const owner = { database: transaction, images, artistId };
  const avatar_id = await insertDemoImage(owner, drawings.avatar, 'avatar', 0);
  await transaction.updateTable('artists').set({ avatar_id }).where('id', '=', artistId).execute();
  for (const [position, drawing] of drawings.portfolio.entries())
    await insertDemoImage(owner, drawing, 'portfolio', position);
  for (const [position, drawing] of drawings.designs.entries()) {
    const { name, description } = drawing;
    const image_id = await insertDemoImage(owner, drawing, 'design', position);
    const texts = { name, description, price: ON_REQUEST };
    await transaction
      .insertInto('designs')
      .values({ artist_id: artistId, image_id, ...texts, status: 'available', position })
      .execute();
  }
  return artistId;
}

/** Stores the files of a drawing, and inserts its image. @returns the id of the image */
async function insertDemoImage(
  { database, images, artistId }: DemoContext & { readonly artistId: string },
  { folder, title, width, height, widths, placeholder }: DemoImage,
  kind: ImageKind,
  position: number,
): Promise<string> {
  const { id } = await database
    .insertInto('images')
    .values({
      artist_id: artistId,
      kind,
      title,
      width,
      height,
      widths: [...widths],
      formats: [...FORMATS],
      placeholder,
      position,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  for (const fileWidth of widths)
    for (const format of FORMATS) {
      const bytes = await readFile(new URL(`${folder}/${fileWidth}.${format}`, ENCODED_FOLDER));
      await images.put({ imageId: id, width: fileWidth, format }, bytes);
    }
  return id;
}
