import type { FetcherStore } from '@nanostores/query';
import { useStore } from '@nanostores/react';
import { BusyButton } from '../../forms/BusyButton.tsx';

interface ReloadButtonProps<T> {
  query: FetcherStore<T>;
  reload?: () => void;
}

/** Loads a query again. */
export function ReloadButton<T>({ query, reload = query.revalidate }: ReloadButtonProps<T>) {
  const { loading } = useStore(query);
  return (
    <div>
      <BusyButton busy={loading} onClick={reload}>
        Reload
      </BusyButton>
    </div>
  );
}
