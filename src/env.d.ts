declare namespace App {
  interface Locals {
    settings: import('./site_settings.ts').SiteSettings;
    api: import('#client/http.ts').Transport;
    /** Calls the API inside this process; set when the server hosts the site. */
    fetchApi?: typeof fetch;
  }
}
