import type { FetcherStore } from '@nanostores/query';
import { useStore } from '@nanostores/react';
import { type Resource, revalidate } from '#stores/studio/queries.ts';
import { BusyButton } from '../../forms/BusyButton.tsx';

interface ReloadButtonProps<T> {
  query: FetcherStore<T>;
  resources: readonly Resource[];
}

/** Reloads `resources`; busy while `query`, which reads one of them, is loading. */
export function ReloadButton<T>({ query, resources }: ReloadButtonProps<T>) {
  const { loading } = useStore(query);
  return (
    <div>
      <BusyButton busy={loading} onClick={() => revalidate(...resources)}>
        Reload
      </BusyButton>
    </div>
  );
}
