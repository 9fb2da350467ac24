// The client side of Astro's renderer for React (scripts/react_islands.ts). Smaller than that of
// @astrojs/react, because our islands have no slots and no form actions.
import { type ComponentType, startTransition } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { ErrorBoundary } from './ErrorBoundary.tsx';
import { noticeFilledInputs } from './filled_inputs.ts';

noticeFilledInputs();

/** Mounts an island inside an error boundary, which no island can forget. */
export default function createMount(element: HTMLElement) {
  return <Props extends object>(Island: ComponentType<Props>, props: Props): void => {
    // Astro calls again when the properties of a mounted island change; ours never do.
    if (!element.hasAttribute('ssr')) return;
    startTransition(() => {
      hydrateRoot(
        element,
        <ErrorBoundary>
          <Island {...props} />
        </ErrorBoundary>,
        // By which the server began the ids of the island.
        { identifierPrefix: element.getAttribute('prefix') ?? '' },
      );
    });
  };
}
