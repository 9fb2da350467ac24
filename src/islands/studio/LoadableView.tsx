import type { FetcherStore, FetcherValue } from '@nanostores/query';
import { useStore } from '@nanostores/react';
import { type ReactElement, useEffect, useState } from 'react';
import { errorText } from '#stores/error_text.ts';
import { Spinner } from '../Spinner.tsx';
import { Button } from './buttons.tsx';

interface LoadableViewProps<T> {
  value: FetcherValue<T, unknown>;
  /** Names the data, as in "The designs could not be loaded". */
  label: string;
  /** How much room the loading text takes: by default that of a list. */
  room?: 'page' | 'list' | 'line';
  onRetry: () => void;
  children: (data: T) => ReactElement | null | false;
}

/** Shows the data of a query; before that a spinner, or the error and a button to retry. */
export function LoadableView<T>(props: LoadableViewProps<T>) {
  const { value, label, room = 'list', onRetry, children } = props;
  if (value.data !== undefined) return children(value.data);
  if (value.error === undefined || value.loading) return <Loading label={label} room={room} />;
  return (
    <div role="alert" className="card p-6">
      <p className="text-danger">{`The ${label} could not be loaded. ${errorText(value.error)}`}</p>
      <Button label="Try again" className="mt-4" onClick={onRetry} />
    </div>
  );
}

type LoadingProps = Pick<LoadableViewProps<unknown>, 'label' | 'room'>;

const ROOM_CLASSES = { page: 'flex-col py-10', list: 'py-10', line: 'min-h-11' };

export function Loading({ label, room = 'list' }: LoadingProps) {
  return (
    <p
      role="status"
      className={`loading-text flex items-center gap-3 text-muted ${ROOM_CLASSES[room]}`}
    >
      <Spinner size={room === 'page' ? 'page' : 'line'} />
      <span>{`Loading ${label}…`}</span>
    </p>
  );
}

/** How long one slow query hides those that have loaded. */
const LONGEST_WAIT_MS = 3000;

/**
 * Whether the queries have loaded or failed, at least once, or three seconds have passed. Parts of a page
 * that appear together do not move each other.
 */
export function useAllLoaded(...queries: FetcherValue<unknown, unknown>[]): boolean {
  const [isLate, setIsLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsLate(true), LONGEST_WAIT_MS);
    return () => clearTimeout(timer);
  }, []);
  return useHaveLoaded(...queries) || isLate;
}

/** Whether the queries have loaded or failed, at least once. */
export function useHaveLoaded(...queries: FetcherValue<unknown, unknown>[]): boolean {
  const areLoaded = queries.every(({ data, error }) => data !== undefined || error !== undefined);
  const [wereLoaded, setWereLoaded] = useState(areLoaded);
  if (areLoaded && !wereLoaded) setWereLoaded(true);
  return wereLoaded;
}

interface QueryViewProps<T> extends Pick<LoadableViewProps<T>, 'label' | 'room' | 'children'> {
  query: FetcherStore<T>;
}

/** A `LoadableView` of a query, which a retry reloads. */
export function QueryView<T>({ query, ...props }: QueryViewProps<T>) {
  return <LoadableView {...props} value={useStore(query)} onRetry={query.revalidate} />;
}
