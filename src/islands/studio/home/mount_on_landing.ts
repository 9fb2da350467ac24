import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import stylesUrl from '../../../styles/studio.css?url';

// React's own reloading, which islands bring along, has to be there before any of them.
if (import.meta.env.DEV) await import('@vitejs/plugin-react/preamble');
const [{ default: HomeIsland }] = await Promise.all([
  import('./HomeIsland.tsx'),
  documentReady(),
  stylesReady(),
]);

// In place of the landing (docs/decisions, 0009).
const productName = productNameOf(document.querySelector('script[data-home]'));
for (const shown of document.querySelectorAll('body > :not([href="#main"])')) shown.remove();
const container = document.body.appendChild(document.createElement('div'));
document.title = `Home · ${productName}`;
delete document.documentElement.dataset['artist'];
createRoot(container).render(createElement(HomeIsland, { productName }));

function productNameOf(script: Element | null): string {
  return script?.getAttribute('data-product-name') ?? '';
}

function documentReady(): Promise<unknown> {
  if (document.readyState !== 'loading') return Promise.resolve();
  return new Promise((done) => {
    document.addEventListener('DOMContentLoaded', done, { once: true });
  });
}

/** The landing itself carries no styles of the studio; without them it is still readable. */
function stylesReady(): Promise<unknown> {
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  link.href = stylesUrl;
  document.head.append(link);
  return new Promise((done) => {
    link.onload = done;
    link.onerror = done;
  });
}
