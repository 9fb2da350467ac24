import { createApp } from 'astro/app/entrypoint';
import { setGetEnv } from 'astro/env/setup';

export { sendAstroLogTo } from './astro_log.ts';

setGetEnv((name) => process.env[name]);
// src/non_streaming.ts says why pages are not streamed.
const app = createApp({ streaming: false });

/** Renders a page for our own server, which imports this function from the build. */
export function render(request: Request, locals: App.Locals): Promise<Response> {
  // Without `routeData`, Astro ignores repeated slashes: one page would have many addresses.
  const routeData = app.match(request);
  return app.render(request, { locals, ...(routeData && { routeData }) });
}
