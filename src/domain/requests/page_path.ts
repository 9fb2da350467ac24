/** The path without percent-encoding; undefined if that is malformed, or does not encode UTF-8. */
export function decodePath(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}

/**
 * Whether a page may have this path: not if it is encoded twice. Astro decodes until nothing changes, so
 * `/%2561na` would be one more address of `/ana`, which the cache stores by itself.
 */
export function isPagePath(path: string): boolean {
  return decodePath(path)?.includes('%') === false;
}
