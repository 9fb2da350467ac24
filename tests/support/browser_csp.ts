import { apiUrl, siteUrl } from './browser_server.ts';

/** What a page's policy must say, word for word. */
const REQUIRED_DIRECTIVES: Readonly<Record<string, string>> = {
  'default-src': "'self'",
  'font-src': "'self'",
  'object-src': "'none'",
  'base-uri': "'none'",
  'form-action': "'self'",
  'frame-ancestors': "'none'",
};
/** What may run and what may style: files of the site, and what is known by its hash. */
const ALLOWED_SOURCE = /^'(self|sha(256|384|512)-[\w+/=]+)'$/;

/** What a content security policy leaves open. */
export function findCspViolations(policy: string): string[] {
  const directives = new Map(
    policy
      .split(';')
      .map((directive) => directive.trim().split(/\s+/))
      .map(([name = '', ...sources]) => [name, sources]),
  );
  const said = (name: string) => directives.get(name)?.join(' ') ?? 'nothing';
  const reached = apiUrl() === siteUrl() ? "'self'" : `'self' ${apiUrl()}`;
  return [
    ...Object.entries({ ...REQUIRED_DIRECTIVES, 'connect-src': reached })
      .filter(([name, wanted]) => said(name) !== wanted)
      .map(([name]) => `${name} is ${said(name)}`),
    ...['script-src', 'style-src']
      .filter(
        (name) => !(directives.get(name) ?? ['nothing']).every((one) => ALLOWED_SOURCE.test(one)),
      )
      .map((name) => `${name} is ${said(name)}`),
  ];
}
