import { expect, test } from 'vitest';
import { createBackgroundTasks } from '#server/operations/background_tasks.ts';

test('background work is waited for, also what it starts itself', async () => {
  const afterwards = createBackgroundTasks(() => {});
  const done: string[] = [];
  afterwards.start('The first', async () => {
    await Promise.resolve();
    afterwards.start('The second', async () => {
      await new Promise((resolve) => setImmediate(resolve));
      done.push('second');
    });
    done.push('first');
  });
  expect(done).toEqual([]);
  await afterwards.idle();
  expect(done).toEqual(['first', 'second']);
});

test('background work that fails is logged by its name, and fails nothing else', async () => {
  const logged: string[] = [];
  const afterwards = createBackgroundTasks((line) => logged.push(line));
  afterwards.start('A recovery mail', () => Promise.reject(new Error('No paper')));
  await afterwards.idle();
  expect(logged).toEqual(['A recovery mail failed: Error: No paper']);
});

test('without background work there is nothing to wait for', async () => {
  await expect(createBackgroundTasks(() => {}).idle()).resolves.toBeUndefined();
});
