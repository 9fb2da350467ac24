import { createElement } from 'react';
import { createRoot } from 'react-dom/client';

// React's own reloading, which islands bring along, has to be there before any of them.
if (import.meta.env.DEV) await import('@vitejs/plugin-react/preamble');
const [{ default: HomeIsland }] = await Promise.all([import('./HomeIsland.tsx'), parsed()]);

// In place of the landing (docs/decisions, 0009).
const productName = productNameOf(document.querySelector('script[data-home]'));
for (const shown of document.querySelectorAll('body > :not([href="#main"])')) shown.remove();
const place = document.body.appendChild(document.createElement('div'));
document.title = `Home · ${productName}`;
delete document.documentElement.dataset['artist'];
createRoot(place).render(createElement(HomeIsland, { productName }));

function productNameOf(script: Element | null): string {
  return script?.getAttribute('data-product-name') ?? '';
}

function parsed(): Promise<unknown> {
  if (document.readyState !== 'loading') return Promise.resolve();
  return new Promise((done) => {
    document.addEventListener('DOMContentLoaded', done, { once: true });
  });
}
