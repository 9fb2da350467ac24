import { expect, test } from 'vitest';
import { InvalidInput, refuse } from '#domain/refusal.ts';
import { invalidating, updateCalendar } from '#server/operations/invalidating.ts';
import { openArtistContext } from '#support/artist_app.ts';
import { openTestContext } from '#support/test_context.ts';

test('tags are invalidated after the change and before the response', async () => {
  const order: string[] = [];
  const invalidate = async (tags: readonly string[]) => {
    await Promise.resolve();
    order.push(`invalidated ${tags}`);
  };
  const response = await invalidating({ invalidate }, ['artist:one', 'designs:one'], async () => {
    order.push('changed');
    return 'the answer';
  });
  expect([...order, response]).toEqual([
    'changed',
    'invalidated artist:one,designs:one',
    'the answer',
  ]);
});

test.each([refuse('not_found'), new InvalidInput(['body'], 'Is wrong')])(
  'a refused change invalidates nothing: %s',
  async (refusal) => {
    const { context, invalidatedTags } = await openTestContext();
    const failing = invalidating(context, ['artist:one'], () => Promise.reject(refusal));
    await expect(failing).rejects.toBe(refusal);
    expect(invalidatedTags).toEqual([]);
  },
);

test('a change that failed unexpectedly invalidates its tags, because it may have been committed', async () => {
  const { context, invalidatedTags } = await openTestContext();
  const lost = new Error('Connection terminated');
  await expect(invalidating(context, ['artist:one'], () => Promise.reject(lost))).rejects.toBe(
    lost,
  );
  expect(invalidatedTags).toEqual(['artist:one']);
});

test('updateCalendar runs in a transaction, and invalidates the availability', async () => {
  const { context, invalidatedTags, artist } = await openArtistContext();
  const before = Date.now();
  const now = await updateCalendar(context, artist.id, async (transaction, at) => {
    expect(transaction.isTransaction).toBe(true);
    return at;
  });
  expect(now).toBeGreaterThanOrEqual(before - 1);
  expect(invalidatedTags).toEqual([`availability:${artist.id}`]);
});
