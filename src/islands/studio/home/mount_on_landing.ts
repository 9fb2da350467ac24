// Shows the studio's home in place of the landing page, to an artist who is logged in
// (docs/decisions, 0009).
import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import stylesUrl from '../../../styles/studio.css?url';

// In development, React Refresh must be loaded before any component.
if (import.meta.env.DEV) await import('@vitejs/plugin-react/preamble');
const [{ default: HomeIsland }, { ErrorBoundary }] = await Promise.all([
  import('./HomeIsland.tsx'),
  import('../../ErrorBoundary.tsx'),
  waitForDocument(),
  loadStyles(),
]);

const script = document.querySelector('script[data-home]');
const productName = script?.getAttribute('data-product-name') ?? '';
// Only the skip link to `#main` stays.
for (const element of document.querySelectorAll('body > :not([href="#main"])')) element.remove();
const container = document.body.appendChild(document.createElement('div'));
document.title = `Home · ${productName}`;
// While it has this attribute, global.css hides the page, so that the landing page does not flash up.
delete document.documentElement.dataset['artist'];
createRoot(container).render(
  createElement(ErrorBoundary, null, createElement(HomeIsland, { productName })),
);

function waitForDocument(): Promise<unknown> {
  if (document.readyState !== 'loading') return Promise.resolve();
  return new Promise((resolve) => {
    document.addEventListener('DOMContentLoaded', resolve, { once: true });
  });
}

/** The landing page does not load the studio's styles. Without them the home is still readable. */
function loadStyles(): Promise<unknown> {
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  link.href = stylesUrl;
  document.head.append(link);
  return new Promise((resolve) => {
    link.onload = resolve;
    link.onerror = resolve;
  });
}
