import tailwindcss from '@tailwindcss/vite';
import { defineConfig, passthroughImageService } from 'astro/config';
import { importAdapter, isOtherHost, outDirOf, parseHost } from './scripts/adapter.ts';
import { BUILD_TARGET } from './scripts/browser_floors.ts';
import { reactIslands } from './scripts/react_islands.ts';

const host = parseHost(process.env.ADAPTER);
const isNode = !isOtherHost(host);
const { adapter, integrations, plugins } = await importAdapter(host);

// During `npm run dev` the API is a process of its own; the browser still sees one origin.
const api = process.env.API_URL;

// What islands share goes out in a few files instead of two dozen: each is a request of its own,
// and small ones hardly compress. The first group that a module fits takes it.
const SHARED_SCRIPTS = [
  {
    name: 'react',
    test: /node_modules\/(react|react-dom|scheduler|nanostores|@nanostores\/react)\//,
  },
  {
    name: 'common',
    test: /preload-helper|node_modules\/ky\/|src\/(client\/(call|http)\.ts|contract\/endpoint_definition\.ts|domain\/time\/(time_zone|zone_data_in_browsers)\.ts|stores\/(api|browser_storage|error_text|toasts)\.ts|islands\/(toasts\/|forms\/BusyButton|Spinner|browser|ErrorBoundary|filled_inputs|island_renderer))/,
  },
  {
    name: 'booking',
    test: /src\/(client\/client_action|contract\/(booking_refusals|client_endpoints)\.ts|domain\/\w+\/(appointment_(choices|labels)|calendar_date|money|price|(format_)?time|date_conventions|typed_text)\.ts|stores\/(booking_draft|details|idempotency_key|saved_hold|time_notice|typed_email)\.ts|islands\/(PriceText|forms\/EmailSuggestion|bar_height|BottomBar|NoticeWithTimes|OwnClockTime))/,
  },
  {
    name: 'appointment',
    test: /src\/(domain\/time\/duration\.ts|islands\/(DescriptionItem|pictures\/Picture)\.tsx)/,
  },
  { name: 'forms', test: /node_modules\/react-hook-form\/|src\/islands\/forms\/fields/ },
  {
    name: 'schemas',
    test: /node_modules\/zod\/|src\/(contract\/(text_fields|appointment_form)\.ts|domain\/clients\/phone\.ts|islands\/booking\/PhoneRow)/,
  },
  {
    name: 'auth',
    test: /src\/(contract\/login_endpoints|stores\/(session|auth\/login)|islands\/(auth\/(redirect_if_logged_in|loaded_form|EmailField)|forms\/PasswordField))\./,
  },
  {
    name: 'details',
    test: /src\/(islands\/booking\/(DetailsFields|HeldTime|PhoneField|ServiceChoice|SubmitBar|details_form)|stores\/submission)\./,
  },
  {
    name: 'times',
    test: /src\/(islands\/booking\/(MonthCalendar|MonthGrid|SlotPanel|TimeCard)|stores\/(availability|time_choice))\./,
  },
];

export default defineConfig({
  output: 'server',
  adapter,
  outDir: outDirOf(host),
  // For Node the adapter sees to it.
  fetchFile: isNode ? null : 'non_streaming',
  integrations: [reactIslands(), ...integrations],
  // Pictures are resized when they are uploaded.
  image: {
    service: passthroughImageService(),
    endpoint: { route: '/_image', entrypoint: './src/image_endpoint.ts' },
  },
  // Nobody is remembered by a session (docs/decisions).
  session: false,
  trailingSlash: 'ignore',
  devToolbar: { enabled: false },
  // The middleware refuses posts of other sites (docs/decisions). Astro compares `Origin` with the `Host`
  // that a proxy has rewritten, and refuses `Origin: null` of our own pages.
  security: {
    checkOrigin: false,
    csp: {
      directives: [
        "default-src 'self'",
        "img-src 'self' data: https:",
        "font-src 'self'",
        "connect-src 'self'",
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
      ],
    },
  },
  // A stylesheet is a file, so that the policy needs no hash for it and pages share it.
  build: { inlineStylesheets: 'never' },
  cache: {
    provider: {
      name: 'headers',
      entrypoint: new URL('./src/cache/astro_provider.ts', import.meta.url),
    },
  },
  vite: {
    plugins: [tailwindcss(), clientTarget(), ...plugins],
    build: { cssTarget: BUILD_TARGET },
    // A cache of its own, so that `npm run dev` does not load what another adapter prepared.
    ...(host === 'node' ? {} : { cacheDir: `node_modules/.vite-${host}` }),
    environments: {
      client: {
        build: { rolldownOptions: { output: { codeSplitting: { groups: SHARED_SCRIPTS } } } },
      },
    },
    server: api ? { proxy: { '/api': api, '/media': api } } : {},
  },
});

/** The target of the browser's scripts, which Astro sets after reading `vite` above. */
function clientTarget() {
  return {
    name: 'client-target',
    configEnvironment: (name) =>
      name === 'client' ? { build: { target: BUILD_TARGET } } : undefined,
  };
}
