interface BoundedReadOptions {
  /** How long a value is returned again instead of being loaded again. */
  readonly maxAgeMs: number;
  readonly timeoutMs: number;
}

/** A value that was read; undefined when reading it failed or took too long. */
export type BoundedRead<T> = () => Promise<{ readonly value: T } | undefined>;

/**
 * Wraps a source that may fail or hang, such as the database, for readers that must not. At most one
 * load runs at a time. While a load hangs longer than `timeoutMs`, readers get undefined at once.
 */
export function createBoundedRead<T>(
  load: () => Promise<T>,
  { maxAgeMs, timeoutMs }: BoundedReadOptions,
): BoundedRead<T> {
  let latest: { readonly value: T; readonly staleAt: number } | undefined;
  /** Stays true after the timeout, until a load that hangs has ended. */
  let isLoading = false;
  /** The result for the readers who ask until the timeout. */
  let attempt: Promise<{ readonly value: T } | undefined> | undefined;

  async function loadAndStore(): Promise<{ readonly value: T } | undefined> {
    isLoading = true;
    try {
      const value = await load();
      latest = { value, staleAt: performance.now() + maxAgeMs };
      return latest;
    } catch {
      // The metric `linework_collect_failed` shows it.
      return undefined;
    } finally {
      isLoading = false;
    }
  }

  return async () => {
    if (latest && performance.now() < latest.staleAt) return latest;
    if (attempt) return attempt;
    if (isLoading) return undefined;
    const { promise: timedOut, resolve } = Promise.withResolvers<undefined>();
    const timer = setTimeout(() => resolve(undefined), timeoutMs);
    attempt = Promise.race([loadAndStore(), timedOut]).finally(() => {
      clearTimeout(timer);
      attempt = undefined;
    });
    return attempt;
  };
}
