import type { FetcherStore } from '@nanostores/query';
import { useStore } from '@nanostores/react';
import { BusyButton } from '../../forms/BusyButton.tsx';

/** Loads a query again. */
export function ReloadButton<T>({ query }: { query: FetcherStore<T> }) {
  const { loading } = useStore(query);
  return (
    <div>
      <BusyButton busy={loading} className="button" onClick={query.revalidate}>
        Reload
      </BusyButton>
    </div>
  );
}
