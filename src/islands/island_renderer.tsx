// The client side of Astro's renderer for React (scripts/react_islands.ts). Smaller than that of
// @astrojs/react, because our islands have no slots and no form actions.
import { type ComponentType, startTransition } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { ErrorBoundary } from './ErrorBoundary.tsx';

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
        // The prefix of the ids that our server has rendered.
        { identifierPrefix: element.getAttribute('prefix') ?? '' },
      );
    });
  };
}

/**
 * Lets forms of React see values that a browser or a password manager has filled in without an event, before
 * they are sent. React passes an event on only if the text has changed since the last one.
 */
function noticeFilledInputs(): void {
  document.addEventListener(
    'submit',
    ({ target }) => {
      if (target instanceof HTMLFormElement)
        for (const input of target.elements)
          input.dispatchEvent(new Event('input', { bubbles: true }));
    },
    { capture: true },
  );
}
