import { fileURLToPath } from 'node:url';
import react from '@astrojs/react';
import type { AstroIntegration } from 'astro';

const RENDERER = fileURLToPath(new URL('../src/islands/island_renderer.tsx', import.meta.url));

/** Astro's integration of React, with our own `island_renderer.tsx` to mount islands in the browser. */
export function reactIslands(): AstroIntegration {
  const integration = react();
  const { 'astro:config:setup': setUp, ...otherHooks } = integration.hooks;
  return {
    ...integration,
    hooks: {
      ...otherHooks,
      'astro:config:setup': (options) =>
        setUp?.({
          ...options,
          addRenderer: (renderer) =>
            options.addRenderer({ ...renderer, clientEntrypoint: RENDERER }),
        }),
    },
  };
}
