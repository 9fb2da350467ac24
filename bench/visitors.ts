import { handleTasks } from './task_worker.ts';

export interface VisitTask {
  readonly url: string;
  readonly visitors: number;
  readonly paths: readonly string[];
}

// Visitors in a process of their own, who share the paths among themselves.
handleTasks<VisitTask, void>(async ({ url, visitors, paths }) => {
  const left = paths.values();
  const visit = async () => {
    for (const path of left) {
      const response = await fetch(url + path);
      await response.arrayBuffer();
      if (!response.ok) throw new Error(`${path} is answered ${response.status}`);
    }
  };
  await Promise.all(Array.from({ length: visitors }, visit));
});
