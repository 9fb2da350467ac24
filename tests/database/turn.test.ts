import { expect, test } from 'vitest';
import { inTurn, takeTurn, tryWithPictureLock } from '#server/database/turn.ts';
import { openStudio } from '#support/studio.ts';

test('of several servers one at a time does the work', async () => {
  const { database } = await openStudio();
  const steps: string[] = [];
  const work = (name: string) =>
    inTurn(database, 'demo', async () => {
      steps.push(`${name} begins`);
      await new Promise((resolve) => setImmediate(resolve));
      steps.push(`${name} ends`);
    });
  await Promise.all([work('one'), work('two'), work('three')]);
  for (let step = 0; step < steps.length; step += 2)
    expect(steps[step + 1]).toBe(steps[step]?.replace('begins', 'ends'));
  expect(steps).toHaveLength(6);
});

test('different work has different locks', async () => {
  const { database } = await openStudio();
  const order: string[] = [];
  await inTurn(database, 'demo', async () => {
    await inTurn(database, 'superuser', async () => {
      order.push('superuser');
    });
    order.push('demo');
  });
  expect(order).toEqual(['superuser', 'demo']);
});

test('a turn ends with its transaction, also with one that failed', async () => {
  const { database } = await openStudio();
  const failing = inTurn(database, 'demo', () => Promise.reject(new Error('It failed')));
  await expect(failing).rejects.toThrow('It failed');
  await database.transaction().execute((transaction) => takeTurn(transaction, 'demo'));
  expect(await inTurn(database, 'demo', async () => 'done')).toBe('done');
});

test('a picture that another server works on is left alone; other pictures are not', async () => {
  const { database } = await openStudio();
  const done: string[] = [];
  await tryWithPictureLock(database, 'one', async () => {
    await tryWithPictureLock(database, 'one', async () => {
      done.push('one, a second time');
    });
    await tryWithPictureLock(database, 'two', async () => {
      done.push('two');
    });
    done.push('one');
  });
  expect(done).toEqual(['two', 'one']);
});
