import { copyFile, open as openFile, readFile, rm, stat, truncate } from 'node:fs/promises';

const MAX_LOG_BYTES = 5_000_000;

/** PostgreSQL's own log: appended to by its processes directly, so that what an orphan says is kept too. */
export interface LogFile {
  readonly path: string;
  /** Opens it for a new postmaster and remembers where its part begins. */
  openForPostmaster(): Promise<{
    descriptor: number;
    close(): Promise<void>;
    said(): Promise<string>;
  }>;
  stopTrimming(): void;
}

/** Keeps the log to about twice the limit: the current file and the one before. */
export function openLogFile(path: string): LogFile {
  const trim = async (): Promise<void> => {
    const { size } = await stat(path);
    if (size <= MAX_LOG_BYTES) return;
    // Removed first: it may belong to another user, if root started us the last time.
    await rm(`${path}.1`, { force: true });
    await copyFile(path, `${path}.1`);
    await truncate(path);
  };
  const timer = setInterval(() => void trim().catch(() => {}), 60_000);
  timer.unref();
  return {
    path,
    openForPostmaster: async () => {
      await trim().catch(() => {});
      const file = await openFile(path, 'a', 0o600);
      const { size } = await file.stat();
      return {
        descriptor: file.fd,
        close: () => file.close(),
        said: async () =>
          (await readFile(path)).subarray(size).toString('utf8').trim().slice(-2_000),
      };
    },
    stopTrimming: () => clearInterval(timer),
  };
}
