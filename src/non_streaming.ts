import { astro, FetchState } from 'astro/fetch';

/**
 * Sends each page only once it is rendered, on hosts whose adapter would stream it. A streamed page has sent its
 * headers before it is rendered: status 200 even if it fails, and a content security policy without the inline
 * scripts that the rendering finds.
 */
export default {
  fetch(request: Request): Promise<Response> {
    const state = new FetchState(request);
    state.streaming = false;
    return astro(state);
  },
};
