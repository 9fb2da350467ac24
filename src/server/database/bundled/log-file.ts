import { copyFile, open, readFile, rm, stat, truncate } from 'node:fs/promises';

const limit = 5_000_000;

/** PostgreSQL's own log: appended to by its processes directly, so that what an orphan says is kept too. */
export interface LogFile {
  readonly path: string;
  /** Opens it for a new postmaster and remembers where its part begins. */
  begin(): Promise<{ descriptor: number; close(): Promise<void>; said(): Promise<string> }>;
  endTrimming(): void;
}

/** Keeps the log to about twice the limit: the current file and the one before. */
export function openLogFile(path: string): LogFile {
  const trim = async (): Promise<void> => {
    const { size } = await stat(path);
    if (size <= limit) return;
    // Removed first: it may belong to another user, if root started us the last time.
    await rm(`${path}.1`, { force: true });
    await copyFile(path, `${path}.1`);
    await truncate(path);
  };
  const timer = setInterval(() => void trim().catch(() => {}), 60_000);
  timer.unref();
  return {
    path,
    begin: async () => {
      await trim().catch(() => {});
      const file = await open(path, 'a', 0o600);
      const { size } = await file.stat();
      return {
        descriptor: file.fd,
        close: () => file.close(),
        said: async () =>
          (await readFile(path)).subarray(size).toString('utf8').trim().slice(-2_000),
      };
    },
    endTrimming: () => clearInterval(timer),
  };
}
