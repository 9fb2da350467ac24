import { astro, FetchState } from 'astro/fetch';

/**
 * Pages in one piece, on hosts whose adapter would send them while they are being rendered. A page
 * that fails half way must be a failure, and not half a page that says 200; and its policy names
 * scripts that are only met on the way.
 */
export default {
  fetch(request: Request): Promise<Response> {
    const state = new FetchState(request);
    state.streaming = false;
    return astro(state);
  },
};
