import { readFile } from 'node:fs/promises';
import { requireFound } from '#domain/refusal.ts';
import type { ImageKind } from '#domain/studio/artwork.ts';
import { takeLock } from '#server/database/advisory_lock.ts';
import { findArtistById, insertArtist, updateSchedule } from '#server/database/artists.ts';
import type { Database, Transaction } from '#server/database/connect.ts';
import type { ImageStore } from '#server/images/image_store.ts';
import { DEMO_ARTISTS, DEMO_PASSWORD_HASH, type DemoArtist } from './demo_artists.ts';
import { ON_REQUEST } from './demo_week.ts';
import type { DemoImage, DemoImages } from './drawings.ts';
import { type SeededArtist, seedDemoWeek } from './seed_week.ts';

const ENCODED_FOLDER = new URL('./encoded/', import.meta.url);
const FORMATS = ['avif', 'webp'] as const;

interface DemoContext {
  readonly database: Database;
  readonly images: ImageStore;
}

/**
 * Fills an empty database with the demo artists and what they have going on; one that holds anything is
 * not touched.
 */
export async function seedDemoArtists({ database, images }: DemoContext): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    await takeLock(transaction, 'demo');
    const anyone = await transaction.selectFrom('artists').select('id').limit(1).executeTakeFirst();
    if (anyone) return;
    const drawings: DemoImages = JSON.parse(
      await readFile(new URL('drawings.json', ENCODED_FOLDER), 'utf8'),
    );
    for (const artist of DEMO_ARTISTS) {
      const id = await insertDemoArtist(transaction, images, artist, drawings);
      await seedDemoWeek(transaction, await toSeededArtist(transaction, id, artist), Date.now());
    }
  });
}

async function insertDemoArtist(
  transaction: Transaction,
  images: ImageStore,
  { artist, studio, schedule, bookingRange, services }: DemoArtist,
  drawings: DemoImages,
): Promise<string> {
  const artistId = await insertArtist(
    transaction,
    { ...artist, password_hash: DEMO_PASSWORD_HASH, email_proven_at: new Date() },
    studio,
  );
  await updateSchedule(transaction, artistId, { ...schedule, booking_range: bookingRange });
  await transaction
    .insertInto('services')
    .values(services.map((one, position) => ({ ...one, artist_id: artistId, position })))
    .execute();
  const own = drawings[artist.username];
  if (!own) return artistId;
  const hang = (drawing: DemoImage, kind: ImageKind, position: number) =>
    insertDemoImage(transaction, images, artistId, drawing, kind, position);
  const avatar = await hang(own.avatar, 'avatar', 0);
  await transaction
    .updateTable('artists')
    .set({ avatar_id: avatar })
    .where('id', '=', artistId)
    .execute();
  for (const [position, drawing] of own.portfolio.entries())
    await hang(drawing, 'portfolio', position);
  for (const [position, drawing] of own.designs.entries()) {
    const { name, description } = drawing;
    const image_id = await hang(drawing, 'design', position);
    const texts = { name, description, price: ON_REQUEST };
    await transaction
      .insertInto('designs')
      .values({ artist_id: artistId, image_id, ...texts, status: 'available', position })
      .execute();
  }
  return artistId;
}

async function toSeededArtist(
  database: Database,
  id: string,
  { artist, studio, schedule }: DemoArtist,
): Promise<SeededArtist> {
  const { studio_id: studioId } = requireFound(await findArtistById(database, id));
  const openWeekdays = schedule.weekly.map(({ weekday }) => weekday);
  const { username } = artist;
  const { buffer_minutes: bufferMinutes } = schedule;
  return { id, username, studioId, zone: studio.time_zone, openWeekdays, bufferMinutes };
}

async function insertDemoImage(
  database: Database,
  images: ImageStore,
  artistId: string,
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
  for (const wide of widths)
    for (const format of FORMATS) {
      const bytes = await readFile(new URL(`${folder}/${wide}.${format}`, ENCODED_FOLDER));
      await images.put({ imageId: id, width: wide, format }, bytes);
    }
  return id;
}
