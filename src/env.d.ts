declare namespace App {
  interface Locals {
    settings: import('./site_settings.ts').SiteSettings;
    /** Carries the calls of pages to the API. */
    api: import('#contract/endpoint.ts').Transport;
    /** Connects to the API inside this process; set when the server hosts the site. */
    connectDirectly?: (
      onAnswer: import('#cache/page_policy.ts').NoteCachePolicy,
    ) => import('#contract/endpoint.ts').Transport;
    /** Called with the pattern of each route; set when our own server hosts the site. */
    onRoute?: (pattern: string) => void;
    /** Called with the error that fails a page; set when our own server hosts the site. */
    onError?: (error: unknown) => void;
    /** Why the API refused the call of an artist's page, for people; set by `_artist.ts`. */
    failureText?: string;
    /** Names the request in the log. */
    requestId?: string | undefined;
  }
}
