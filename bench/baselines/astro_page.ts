// A minimal Astro page behind the front that our own pages have.
import { createServer } from 'node:http';
import { Hono } from 'hono';
import { createCacheStore } from '#server/cache/cache_store.ts';
import { createHttpCache } from '#server/cache/http_cache.ts';
import { createHttpHandler } from '#server/http/http_server.ts';
import { createLoadShedding } from '#server/http/load_shedding.ts';
import { loadSite } from '#server/http/site.ts';
import { createLog } from '#server/log/log.ts';
import { readSiteSettings } from '../../src/site_settings.ts';
import { listen } from './listen.ts';

const log = createLog({ format: 'json', level: 'error' });
const dist = process.env['DIST'] ?? '';
listen(
  createServer(
    createHttpHandler({
      app: new Hono<{ Bindings: { clientIp: string } }>(),
      connectDirectly: () => {
        throw new Error('The page calls no API');
      },
      imageFolder: dist,
      findAsset: async () => undefined,
      site: await loadSite(
        dist,
        readSiteSettings(() => undefined, 'http://localhost'),
        log,
      ),
      cache: createHttpCache(createCacheStore(0), Date.now, log),
      allowedOrigins: [],
      trustedProxies: [],
      isHttpsOnly: false,
      loadShedding: createLoadShedding(false),
      log,
    }),
  ),
);
