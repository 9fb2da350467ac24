import { Hono } from 'hono';
import { createCacheStore } from '#server/cache/cache_store.ts';
import { createHttpCache } from '#server/cache/http_cache.ts';
import type { createApp } from '#server/http/app.ts';
import { createHttpHandler, type HttpHandlerOptions } from '#server/http/http_server.ts';
import { createLoadShedding } from '#server/http/load_shedding.ts';
import type { BuiltSite } from '#server/http/site.ts';
import { readSiteSettings } from '../../src/site_settings.ts';
import { listenForTest } from './listen.ts';
import { silentLog } from './recorded_log.ts';

export const SITE_SETTINGS = readSiteSettings(() => undefined, 'http://localhost');

/** The settings of an API that takes no calls of other sites, for `createApp`. */
export const API_SETTINGS: Parameters<typeof createApp>[1] = {
  productName: 'Linework',
  allowedOrigins: [],
  trustedOrigins: [],
  healthToken: undefined,
};

/** A site without files, whose pages this function renders. */
export function createSite(render: BuiltSite['render']): BuiltSite {
  return { render, files: new Map(), assets: new Map(), settings: SITE_SETTINGS };
}

/** Serves HTTP until the test ends. By default there are no API, no files, no cache and no limits. */
export function serveHandler({
  log = silentLog,
  cacheBytes = 0,
  ...options
}: Partial<HttpHandlerOptions> & { readonly cacheBytes?: number }): Promise<URL> {
  const store = createCacheStore(cacheBytes);
  store.enable();
  return listenForTest(
    createHttpHandler({
      app: new Hono<{ Bindings: { clientIp: string } }>(),
      connectDirectly: () => {
        throw new Error('These pages call no API');
      },
      imageFolder: '/nowhere',
      site: undefined,
      findAsset: async () => undefined,
      cache: createHttpCache(store, Date.now, log),
      allowedOrigins: [],
      trustedProxies: [],
      isHttpsOnly: false,
      loadShedding: createLoadShedding(false),
      log,
      ...options,
    }),
  );
}
