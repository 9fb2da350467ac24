import { astro, FetchState } from 'astro/fetch';

/**
 * Sends each page only once it is rendered, on hosts whose adapter would stream it. Otherwise a page
 * that fails half way has already sent status 200. Its content security policy names scripts that
 * are found during the rendering.
 */
export default {
  fetch(request: Request): Promise<Response> {
    const state = new FetchState(request);
    state.streaming = false;
    return astro(state);
  },
};
