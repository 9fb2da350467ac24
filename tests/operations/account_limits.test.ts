import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { requireRoom, requireRoomForClient } from '#server/operations/account_limits.ts';
import { createService } from '#server/operations/catalogue/services.ts';
import { openArtistContext } from '#support/artist_app.ts';
import { addArtist, addImage } from '#support/database_rows.ts';
import { inTransaction } from '#support/in_transaction.ts';

const NEW = { name: 'Flash', description: '', duration: 60, is_available: true, price: null };

test('an artist has at most 200 services, also after concurrent calls; a deletion makes room', async () => {
  const { context, database, artist } = await openArtistContext();
  await sql`
    INSERT INTO services (artist_id, name, description, duration_minutes, is_available, position)
    SELECT ${artist.id}, 'Flash', '', 60, true, n FROM generate_series(1, 198) AS n
  `.execute(database);
  const create = () =>
    createService(context, artist.id, NEW).then(
      () => 'created',
      (error) => error.reason,
    );
  const results = await Promise.all(Array.from({ length: 6 }, create));
  expect(results.toSorted()).toEqual(['created', 'created', ...Array(4).fill('too_many_services')]);
  await sql`
    UPDATE services SET deleted_at = now()
    WHERE id = (SELECT id FROM services WHERE artist_id = ${artist.id} LIMIT 1)
  `.execute(database);
  expect([await create(), await create()]).toEqual(['created', 'too_many_services']);
  expect((await createService(context, (await addArtist(database)).id, NEW)).name).toBe('Flash');
});

test('an artist has at most 2,000 designs, and 2,000 pictures in the portfolio', async () => {
  const { database, artist } = await openArtistContext();
  const { id: imageId } = await addImage(database, artist);
  await sql`
    INSERT INTO images (id, artist_id, kind, title, width, height, widths, formats, position)
    SELECT gen_random_uuid(), artist_id, kind, title, width, height, widths, formats, n
    FROM images, generate_series(1, 1989) AS n WHERE id = ${imageId}
  `.execute(database);
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::int AS count FROM images WHERE artist_id = ${artist.id} AND kind = 'portfolio'
  `.execute(database);
  expect(rows).toEqual([{ count: 1990 }]);
  await requireRoom(database, 'portfolio', artist.id, 10);
  await expect(requireRoom(database, 'portfolio', artist.id, 11)).rejects.toMatchObject({
    reason: 'too_many_portfolio_pictures',
  });
  await sql`
    INSERT INTO designs (artist_id, image_id, name, description, status, position)
    SELECT artist_id, id, 'Swallow', '', 'available', position FROM images
    WHERE artist_id = ${artist.id}
  `.execute(database);
  await requireRoom(database, 'designs', artist.id, 10);
  await expect(requireRoom(database, 'designs', artist.id, 11)).rejects.toMatchObject({
    reason: 'too_many_designs',
  });
});

test('an artist with 20,000 clients can enter appointments of known clients only', async () => {
  const { database, artist } = await openArtistContext();
  const enter = (email: string | null) =>
    inTransaction(database, requireRoomForClient, artist.id, email);
  const addClients = (from: number, to: number) =>
    sql`
      INSERT INTO clients (artist_id, first_name, email)
      SELECT ${artist.id}, 'Rosa', 'rosa' || n || '@example.com'
      FROM generate_series(${from}::int, ${to}::int) AS n
    `.execute(database);
  await addClients(1, 19_999);
  await enter('new@example.com');
  await enter(null);
  await addClients(20_000, 20_000);
  await enter('Rosa7@example.com');
  for (const email of ['new@example.com', null])
    await expect(enter(email)).rejects.toMatchObject({ reason: 'too_many_clients' });
});
