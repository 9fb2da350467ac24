/** The log of the bundled PostgreSQL: its file, and how it is kept short. */
import fs from 'node:fs/promises';

const MAX_LOG_BYTES = 5_000_000;
const TRIM_INTERVAL_MS = 60_000;
/** How much of the log an error message quotes. */
const MAX_QUOTED_CHARACTERS = 2_000;

export type LogFile = ReturnType<typeof openLogFile>;

/**
 * PostgreSQL writes to the file itself, so that it can log even after our server has ended. Every minute, we
 * check the size of the file: above `MAX_LOG_BYTES`, we copy it to `<path>.1` and empty it.
 */
export function openLogFile(path: string) {
  const trim = async (): Promise<void> => {
    const { size } = await fs.stat(path);
    if (size <= MAX_LOG_BYTES) return;
    // An older copy may belong to another user: we can delete it, but not overwrite it.
    await fs.rm(`${path}.1`, { force: true });
    // Copied, not renamed, because PostgreSQL keeps the file open.
    await fs.copyFile(path, `${path}.1`);
    await fs.truncate(path);
  };
  // After an error, the timer tries again a minute later.
  const tryToTrim = () => trim().catch(() => {});
  const timer = setInterval(() => void tryToTrim(), TRIM_INTERVAL_MS).unref();
  return {
    path,
    /** Opens the file for a new postmaster, as PostgreSQL calls its main process. */
    openForPostmaster: async () => {
      await tryToTrim();
      const file = await fs.open(path, 'a', 0o600);
      const { size: sizeAtStart } = await file.stat();
      return {
        descriptor: file.fd,
        /** Closes our descriptor; the postmaster has its own. */
        close: () => file.close(),
        /** Reads the end of the log, but nothing from before `openForPostmaster`. */
        readOutput: async () => {
          const output = (await fs.readFile(path)).subarray(sizeAtStart).toString('utf8');
          return output.trim().slice(-MAX_QUOTED_CHARACTERS);
        },
      };
    },
    stopTrimming: () => clearInterval(timer),
  };
}
