import { expect, test } from 'vitest';
import { InvalidInput, refuse } from '#domain/refusal.ts';
import { changeCalendar, clearing } from '#server/operations/clearing.ts';
import { addArtist } from '#support/own_rows.ts';
import { openParts } from '#support/parts.ts';

test('tags are invalidated after the change and before the response', async () => {
  const order: string[] = [];
  const clear = async (tags: readonly string[]) => {
    await Promise.resolve();
    order.push(`invalidated ${tags}`);
  };
  const changed = await clearing({ clear }, ['artist:one', 'designs:one'], async () => {
    order.push('changed');
    return 'the answer';
  });
  expect([...order, changed]).toEqual([
    'changed',
    'invalidated artist:one,designs:one',
    'the answer',
  ]);
});

test.each([refuse('not_found'), new InvalidInput(['body'], 'Is wrong')])(
  'a change that was refused invalidates nothing: %s',
  async (refusal) => {
    const { parts, cleared } = await openParts();
    const failing = clearing(parts, ['artist:one'], () => Promise.reject(refusal));
    await expect(failing).rejects.toBe(refusal);
    expect(cleared).toEqual([]);
  },
);

test('a change that failed in doubt invalidates, for it may have been made', async () => {
  const { parts, cleared } = await openParts();
  const lost = new Error('Connection terminated');
  await expect(clearing(parts, ['artist:one'], () => Promise.reject(lost))).rejects.toBe(lost);
  expect(cleared).toEqual(['artist:one']);
});

test('a change of a calendar runs in a transaction, and invalidates its availability', async () => {
  const { parts, cleared } = await openParts();
  const artist = await addArtist(parts.database);
  const before = Date.now();
  const now = await changeCalendar(parts, artist.id, async (transaction, at) => {
    expect(transaction.isTransaction).toBe(true);
    return at;
  });
  expect(now).toBeGreaterThanOrEqual(before - 1);
  expect(cleared).toEqual([`availability:${artist.id}`]);
});
