import { apiUrl, siteUrl } from './browser_server.ts';

/** Directives that a page's policy must contain exactly. */
const REQUIRED_DIRECTIVES: Readonly<Record<string, string>> = {
  'default-src': "'self'",
  'font-src': "'self'",
  'object-src': "'none'",
  'base-uri': "'none'",
  'form-action': "'self'",
  'frame-ancestors': "'none'",
};
/** Allowed sources of scripts and styles: files of the site, and inline code by its hash. */
const ALLOWED_SOURCE = /^'(self|sha(256|384|512)-[\w+/=]+)'$/;

/** The directives that are missing from a content security policy or too permissive. */
export function findCspViolations(policy: string): string[] {
  const directives = new Map(
    policy
      .split(';')
      .map((directive) => directive.trim().split(/\s+/))
      .map(([name = '', ...sources]) => [name, sources]),
  );
  const sourcesOf = (name: string) => directives.get(name)?.join(' ') ?? 'nothing';
  const connectSources = apiUrl() === siteUrl() ? "'self'" : `'self' ${apiUrl()}`;
  return [
    ...Object.entries({ ...REQUIRED_DIRECTIVES, 'connect-src': connectSources })
      .filter(([name, required]) => sourcesOf(name) !== required)
      .map(([name]) => `${name} is ${sourcesOf(name)}`),
    ...['script-src', 'style-src']
      .filter(
        (name) => !(directives.get(name) ?? ['nothing']).every((one) => ALLOWED_SOURCE.test(one)),
      )
      .map((name) => `${name} is ${sourcesOf(name)}`),
  ];
}
