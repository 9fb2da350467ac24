import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { PRODUCTION_ENVIRONMENT } from './child_server.ts';

/** A process that does one task after the other: a task comes as a message, and so does its result. */
export interface TaskWorker<Task, Result> extends AsyncDisposable {
  readonly pid: number;
  /** @throws Error when it fails or ends meanwhile */
  run(task: Task): Promise<Result>;
}

/** What a worker answers with. */
type TaskReply<Result> = { readonly result: Result } | { readonly failure: string };

/**
 * Its standard output is read, and dropped.
 * @param file in this folder; it calls `handleTasks`
 */
export function openTaskWorker<Task extends object, Result>(
  file: string,
): TaskWorker<Task, Result> {
  const child = fork(join(import.meta.dirname, file), {
    serialization: 'advanced',
    env: { ...process.env, ...PRODUCTION_ENVIRONMENT },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  child.stdout?.resume();
  const ended = once(child, 'exit');
  const endedEarly = ended.then(() => Promise.reject(new Error(`${file} ended`)));
  endedEarly.catch(() => {});
  return {
    pid: child.pid ?? 0,
    run: async (task) => {
      const answered = new Promise<TaskReply<Result>>((resolve) => child.once('message', resolve));
      child.send(task);
      const answer = await Promise.race([answered, endedEarly]);
      if ('failure' in answer) throw new Error(`${file}: ${answer.failure}`);
      return answer.result;
    },
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** What a worker is made of. */
export function handleTasks<Task, Result>(perform: (task: Task) => Promise<Result>): void {
  process.on('message', async (task: Task) => {
    const answer = await perform(task).then(
      (result): TaskReply<Result> => ({ result }),
      (error: unknown): TaskReply<Result> => ({
        failure: error instanceof Error ? (error.stack ?? error.message) : String(error),
      }),
    );
    process.send?.(answer);
  });
}
