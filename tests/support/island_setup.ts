import { cleanup, configure } from '@testing-library/react';
import { afterEach, vi } from 'vitest';
import { $token, endSession } from '#stores/session.ts';
import { $toasts } from '#stores/toasts.ts';

// A busy machine exceeds the default of one second.
configure({ asyncUtilTimeout: 10_000 });

/** Resets the page, stubs and the clock after each test, and the browser where there is one. */
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  $toasts.set([]);
  if (typeof document === 'undefined') return;
  if ($token.get() !== undefined) endSession();
  sessionStorage.clear();
  localStorage.clear();
  history.replaceState(null, '', '/');
});
