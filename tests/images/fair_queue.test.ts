import { expect, test } from 'vitest';
import { createFairQueue } from '#server/images/fair_queue.ts';

const LIMITS = { maxWaiting: 6, maxWaitingPerOwner: 4 };

/** Adds tasks that record their names; the first waits until `release` is called. */
function setUp() {
  const queue = createFairQueue(LIMITS);
  const done: string[] = [];
  let running = 0;
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const task = (name: string) => async () => {
    running += 1;
    expect(running).toBe(1);
    await released;
    running -= 1;
    done.push(name);
    return name;
  };
  const add = (owner: string, name: string) => queue.add(owner, task(name));
  return { queue, done, release, task, add };
}

test('tasks run one at a time, and owners take turns', async () => {
  const { done, release, add } = setUp();
  const tasks = [add('ana', 'a1'), add('ana', 'a2'), add('ana', 'a3'), add('ana', 'a4')];
  tasks.push(add('bo', 'b1'), add('bo', 'b2'), add('cleo', 'c1'));
  release();
  expect(await Promise.all(tasks)).toEqual(['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1']);
  expect(done).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']);
});

test('tasks in the background run when no other waits', async () => {
  const { queue, done, release, task, add } = setUp();
  const background = [1, 2].map((n) => queue.addInBackground(task(`background ${n}`)));
  const tasks = [add('ana', 'a1'), add('ana', 'a2')];
  release();
  await Promise.all([...background, ...tasks]);
  expect(done).toEqual(['background 1', 'a1', 'a2', 'background 2']);
});

test('too many waiting tasks of one owner, or of all, are refused', async () => {
  const { release, add } = setUp();
  const tasks = [1, 2, 3, 4, 5].map((n) => add('ana', `a${n}`));
  await expect(add('ana', 'a6')).rejects.toMatchObject({ reason: 'busy' });
  tasks.push(add('bo', 'b1'), add('bo', 'b2'));
  await expect(add('cleo', 'c1')).rejects.toMatchObject({ reason: 'busy' });
  release();
  await Promise.all(tasks);
  expect(await add('cleo', 'c2')).toBe('c2');
});

test('a failed task fails only for its caller', async () => {
  const queue = createFairQueue(LIMITS);
  const failed = queue.add('ana', () => Promise.reject(new Error('damaged')));
  const next = queue.add('ana', async () => 'fine');
  await expect(failed).rejects.toThrow('damaged');
  expect(await next).toBe('fine');
});
