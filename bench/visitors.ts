import { handleTasks } from './task_worker.ts';

export interface VisitTask {
  readonly url: string;
  readonly visitors: number;
  readonly paths: readonly string[];
}

// Visitors in a process of their own, who share the paths among themselves; they answer with the
// milliseconds that each took.
handleTasks<VisitTask, number[]>(async ({ url, visitors, paths }) => {
  const left = paths.entries();
  const took = new Array<number>(paths.length).fill(0);
  const visit = async () => {
    for (const [index, path] of left) {
      const start = performance.now();
      const response = await fetch(url + path);
      await response.arrayBuffer();
      if (!response.ok) throw new Error(`${path} is answered ${response.status}`);
      took[index] = performance.now() - start;
    }
  };
  await Promise.all(Array.from({ length: visitors }, visit));
  return took;
});
