import { expect, test } from 'vitest';
import { createBackgroundTasks } from '#server/operations/background_tasks.ts';

test('whenIdle() waits for background tasks, including those started by other tasks', async () => {
  const tasks = createBackgroundTasks(() => {});
  const done: string[] = [];
  tasks.start('The first', async () => {
    await Promise.resolve();
    tasks.start('The second', async () => {
      await new Promise((resolve) => setImmediate(resolve));
      done.push('second');
    });
    done.push('first');
  });
  expect(done).toEqual([]);
  await tasks.whenIdle();
  expect(done).toEqual(['first', 'second']);
});

test('a failed background task is logged by its name, and whenIdle() still resolves', async () => {
  const logged: string[] = [];
  const tasks = createBackgroundTasks((line) => logged.push(line));
  tasks.start('Recovery mail: queueing', () => Promise.reject(new Error('No paper')));
  await tasks.whenIdle();
  expect(logged).toEqual(['Recovery mail: queueing failed (not retried): Error: No paper']);
});

test('whenIdle() resolves at once without background tasks', async () => {
  await expect(createBackgroundTasks(() => {}).whenIdle()).resolves.toBeUndefined();
});
