import type { ReactNode } from 'react';
import { errorText } from '#stores/error_text.ts';
import { Spinner } from '../Spinner.tsx';

interface LoadableViewProps<T> {
  /** What a reading store holds. */
  value: { data?: T | undefined; error?: unknown; loading: boolean };
  /** What is being read, as in "The designs could not be loaded". */
  label: string;
  onRetry: () => void;
  children: (data: T) => ReactNode;
}

/** What was read; before that a sign that it is on its way, or what went wrong and a way on. */
export function LoadableView<T>({ value, label: what, onRetry, children }: LoadableViewProps<T>) {
  if (value.data !== undefined) return children(value.data);
  if (value.error === undefined || value.loading)
    return (
      <p role="status" className="flex items-center gap-3 py-10 text-muted">
        <Spinner />
        Loading {what}…
      </p>
    );
  return (
    <div role="alert" className="card p-6">
      <p className="text-danger">
        The {what} could not be loaded. {errorText(value.error)}
      </p>
      <button type="button" className="button mt-4" onClick={onRetry}>
        Try again
      </button>
    </div>
  );
}
