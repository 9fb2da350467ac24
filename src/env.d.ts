declare namespace App {
  interface Locals {
    settings: import('./site_settings.ts').SiteSettings;
    /** The API, wherever it is. */
    api: import('#client/http.ts').Transport;
    /** The API in this process, when the server hosts the site. */
    fetchApi?: typeof fetch;
  }
}
