// A minimal Astro page behind the front that our own pages have.
import { createServer } from 'node:http';
import { Hono } from 'hono';
import { createEdge } from '#server/edge/edge.ts';
import { createPageCache } from '#server/edge/page_cache.ts';
import { createFront } from '#server/front.ts';
import { loadSite } from '#server/site.ts';
import { siteSettings } from '../../src/settings.ts';
import { listen } from './listening.ts';

const dist = process.env['DIST'] ?? '';
listen(
  createServer(
    createFront({
      app: new Hono<{ Bindings: { address: string } }>(),
      mediaFolder: dist,
      findAsset: async () => undefined,
      site: await loadSite(
        dist,
        siteSettings(() => undefined, 'http://localhost'),
      ),
      edge: createEdge(createPageCache(0), Date.now, console.error),
      allowedOrigins: [],
      log: console.error,
    }),
  ),
);
