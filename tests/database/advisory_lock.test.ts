import { expect, test } from 'vitest';
import { takeLock, tryWithImageLock } from '#server/database/advisory_lock.ts';
import { openTestApp } from '#support/test_app.ts';

test('only one holder of a lock runs at a time', async () => {
  const { database } = await openTestApp();
  const steps: string[] = [];
  const work = (name: string) =>
    database.transaction().execute(async (transaction) => {
      await takeLock(transaction, 'demo');
      steps.push(`${name} begins`);
      await new Promise((resolve) => setImmediate(resolve));
      steps.push(`${name} ends`);
    });
  await Promise.all([work('one'), work('two'), work('three')]);
  for (let step = 0; step < steps.length; step += 2)
    expect(steps[step + 1]).toBe(steps[step]?.replace('begins', 'ends'));
  expect(steps).toHaveLength(6);
});

test('locks with different names do not block each other', async () => {
  const { database } = await openTestApp();
  const order: string[] = [];
  await database.transaction().execute(async (demo) => {
    await takeLock(demo, 'demo');
    await database.transaction().execute((superuser) => takeLock(superuser, 'superuser'));
    order.push('superuser');
  });
  order.push('demo');
  expect(order).toEqual(['superuser', 'demo']);
});

test('a lock is released with its transaction, also when that fails', async () => {
  const { database } = await openTestApp();
  const failing = database.transaction().execute(async (transaction) => {
    await takeLock(transaction, 'demo');
    throw new Error('It failed');
  });
  await expect(failing).rejects.toThrow('It failed');
  for (const _ of ['after the failure', 'after a success'])
    await database.transaction().execute((transaction) => takeLock(transaction, 'demo'));
});

test('tryWithImageLock skips an image that is locked, and locks other images', async () => {
  const { database } = await openTestApp();
  const done: string[] = [];
  const run = (id: string, name: string, work: () => Promise<unknown> = async () => {}) =>
    tryWithImageLock(database, id, async () => {
      await work();
      done.push(name);
    });
  const isRun = await run('one', 'one', async () => {
    expect(await run('one', 'one again')).toBe(false);
    expect(await run('two', 'two')).toBe(true);
  });
  expect([isRun, done]).toEqual([true, ['two', 'one']]);
});
