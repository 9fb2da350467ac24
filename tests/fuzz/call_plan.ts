/** Calls before they are sent, without the values that only the state of the run knows. */
import { globSync } from 'node:fs';
import { resolve } from 'node:path';
import fc from 'fast-check';
import type { Api, ApiOperation } from './openapi.ts';
import {
  oddText,
  oddValue,
  PrivateText,
  type Reference,
  reference,
  toArbitrary,
} from './values.ts';

/** Whose token the call carries. */
type Caller = 'target' | 'other' | 'superuser' | 'nobody' | 'ended' | 'wrong';
/** A change of a valid body. */
interface Mutation {
  readonly kind: 'replace' | 'remove' | 'add';
  /** Chooses the field. */
  readonly pick: number;
  readonly value: unknown;
}
/** Changes of the path as it is sent. */
export const PATH_CHANGES: Readonly<Record<string, (path: string) => string>> = {
  slash: (path) => `${path}/`,
  encoded: (path) =>
    path.replace(/\/(\w)(?=\w*$)/, (_, first: string) => `/%${first.charCodeAt(0).toString(16)}`),
  capitals: (path) => path.toUpperCase(),
  double: (path) => path.replace('/', '//'),
  broken: (path) => `${path}%E0%A4%A`,
  nul: (path) => `${path}%00`,
  dots: (path) => `/x/..${path}/%2e%2e/.`,
  more: (path) => `${path}/more/%2F`,
};

interface Header {
  readonly name: string;
  readonly value: string;
}

export type CallBody =
  | { readonly kind: 'none' }
  | { readonly kind: 'json'; readonly value: unknown }
  | { readonly kind: 'form'; readonly value: unknown }
  | { readonly kind: 'multipart'; readonly value: unknown; readonly files: readonly FileKind[] }
  | { readonly kind: 'raw'; readonly text: string; readonly type: string };

export type FileKind = 'picture' | 'portrait' | 'cut' | 'text' | 'empty' | 'svg';

export interface CallPlan {
  /** The documented operation; undefined for a page. */
  readonly operation: ApiOperation | undefined;
  /** Such as `GET /api/v1/services/{service_id}`. */
  readonly name: string;
  readonly method: string;
  /** With parameters in braces. */
  readonly pattern: string;
  readonly caller: Caller;
  /** Chooses the artist whom the call is about. */
  readonly target: number;
  readonly path: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly extraQuery: string;
  readonly extraHeaders: readonly Header[];
  readonly body: CallBody;
  readonly mutations: readonly Mutation[];
  /** One of `PATH_CHANGES`, or `none`. */
  readonly pathChange: string;
  /** Sent twice at the same time. */
  readonly isTwice: boolean;
  /** If it names an object of its caller, sent before with the token of another artist. */
  readonly isTriedByOther: boolean;
}

/** Only the artist and their client may read the texts of these. */
const PRIVATE_OPERATION = /^\/api\/v1\/(?:appointments|clients|mails)|\/contact$/;
const OTHER_METHODS = [
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'TRACE',
  'PROPFIND',
];
const PAGES = resolve(import.meta.dirname, '../../src/pages');

const ODD_HEADERS: readonly Header[] = [
  { name: 'Host', value: 'attacker.example' },
  { name: 'Host', value: 'a/b' },
  { name: 'X-Forwarded-For', value: '1.2.3.4, 5.6.7.8' },
  { name: 'X-Forwarded-For', value: 'not an address' },
  { name: 'X-Forwarded-Host', value: 'attacker.example' },
  { name: 'X-Forwarded-Proto', value: 'javascript' },
  { name: 'Origin', value: 'http://attacker.example' },
  { name: 'Origin', value: 'null' },
  { name: 'Referer', value: 'http://attacker.example/' },
  { name: 'Cookie', value: `session=${'x'.repeat(3000)}` },
  { name: 'Cookie', value: '=;;=;"' },
  { name: 'Accept', value: '*/*;q=x' },
  { name: 'Accept-Language', value: 'de-CH, xx;q=9, *' },
  { name: 'Accept-Language', value: 'x'.repeat(2000) },
  { name: 'Accept-Encoding', value: 'br;q=0, gzip, zstd' },
  { name: 'Accept-Encoding', value: 'nonsense;q=' },
  { name: 'If-None-Match', value: '*' },
  { name: 'If-None-Match', value: '"x", W/"y"' },
  { name: 'If-Modified-Since', value: 'yesterday' },
  { name: 'Range', value: 'bytes=0-1' },
  { name: 'Range', value: 'bytes=9-1,-' },
  { name: 'Expect', value: '100-continue' },
  { name: 'Transfer-Encoding', value: 'chunked' },
  { name: 'User-Agent', value: '' },
  { name: 'User-Agent', value: '<img src=x onerror=fuzz>' },
  { name: 'Authorization', value: 'Basic eDp4' },
  { name: 'Authorization', value: `Bearer ${'x'.repeat(6000)}` },
  { name: 'Idempotency-Key', value: 'not a uuid' },
  { name: 'Proof-Of-Work', value: '{"challenge":' },
  { name: 'Time-Zone', value: 'Nowhere/Land' },
  { name: 'Device-Token', value: 'x.y.z' },
  { name: 'Content-Encoding', value: 'gzip' },
  { name: 'X-HTTP-Method-Override', value: 'DELETE' },
  { name: 'Upgrade', value: 'websocket' },
  { name: 'Sec-Fetch-Site', value: 'cross-site' },
];
const ODD_QUERIES = [
  'a=1&a=2',
  'utm_source=x',
  '__proto__=x',
  'limit=-1',
  'limit=1e9',
  'skip=99999999999999999999',
  'search=%00',
  'search=%ff',
  'year=2026&month=13',
  'token=%',
  '=&&=',
  'a[]=1&a[b]=2',
  `q=${'x'.repeat(4000)}`,
  '?',
  '#',
];
const RAW_BODIES = [
  '',
  ' ',
  'null',
  '[]',
  '"email"',
  '{',
  '{"a":1,"a":2}',
  '{"__proto__":{"email":"rosa@example.com"}}',
  '\u0000',
  '\ufeff{}',
  '['.repeat(50_000),
  `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`,
  `"${'x'.repeat(300_000)}"`,
  'a=1&b=2',
  '--x\r\nContent-Disposition: form-data; name="file"\r\n\r\n',
];
const MEDIA_TYPES = [
  'application/json',
  'application/json; charset=utf-16',
  'APPLICATION/JSON',
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'multipart/form-data; boundary=x',
  'application/xml',
  '',
];

const mutation: fc.Arbitrary<Mutation> = fc.record({
  kind: fc.constantFrom('replace', 'remove', 'add'),
  pick: fc.nat(99),
  value: oddValue,
});
const files: fc.Arbitrary<FileKind[]> = fc.oneof(
  { weight: 5, arbitrary: fc.constant<FileKind[]>(['picture']) },
  {
    weight: 3,
    arbitrary: fc.array(
      fc.constantFrom<FileKind>('picture', 'portrait', 'cut', 'text', 'empty', 'svg'),
      { maxLength: 3 },
    ),
  },
);
const rawBody = fc.record({
  kind: fc.constant('raw' as const),
  text: fc.oneof(fc.constantFrom(...RAW_BODIES), oddText),
  type: fc.constantFrom(...MEDIA_TYPES),
});

/** Mostly `usual`, sometimes the other. */
function seldom<A, B>(usual: fc.Arbitrary<A>, other: fc.Arbitrary<B>, weight = 12) {
  return fc.oneof({ weight, arbitrary: usual }, { weight: 1, arbitrary: other });
}

/** What all calls have in common. */
const EVERY_CALL = {
  target: fc.nat(99),
  extraQuery: seldom(fc.constant(''), fc.constantFrom(...ODD_QUERIES)),
  extraHeaders: seldom(
    fc.constant<Header[]>([]),
    fc.array(fc.constantFrom(...ODD_HEADERS), { minLength: 1, maxLength: 2 }),
    6,
  ),
  pathChange: seldom(fc.constant('none'), fc.constantFrom(...Object.keys(PATH_CHANGES)), 20),
  isTwice: seldom(fc.constant(false), fc.constant(true), 15),
  isTriedByOther: seldom(fc.constant(false), fc.constant(true), 2),
};

/** Any call of the API or of a page. */
export function anyCall(api: Api): fc.Arbitrary<CallPlan> {
  const pages = listPages();
  // Three of four are calls of the API.
  return fc.oneof(
    { weight: 3, arbitrary: fc.oneof(...api.operations.map((one) => weigh(one, api))) },
    { weight: 1, arbitrary: fc.oneof(...pages.map((pattern) => pageCall(pattern))) },
  );
}

/** Calls that end a login or an account are rare; those that make objects, mainly bookings, are frequent. */
function weigh(operation: ApiOperation, api: Api) {
  const { method, path } = operation;
  const ends =
    /^DELETE .*(?:users\/me|users\/\{user_id\}|me\/session)$|(?:end-others|password|deactivate|doctor)$/;
  const makes = /request\/|confirmation\/|appointments$|appointments\/\{appt_id\}$|merge|contact$/;
  const books = /request\/service$|confirmation\/\{appt_id\}$/;
  const weightOfChange = () => {
    if (ends.test(`${method} ${path}`)) return 1;
    return books.test(path) ? 30 : makes.test(path) ? 12 : 4;
  };
  const weight = method === 'GET' ? 4 : weightOfChange();
  return { weight, arbitrary: apiCall(operation, api) };
}

function apiCall(operation: ApiOperation, { resolve: resolveSchema }: Api): fc.Arbitrary<CallPlan> {
  const { method, path: pattern, parameters, requestBody, security, responses } = operation;
  const options = { resolve: resolveSchema, isPrivate: PRIVATE_OPERATION.test(pattern) };
  const valuesIn = (place: string) =>
    fc.record(
      Object.fromEntries(
        parameters
          .filter((parameter) => parameter.in === place)
          .map(({ name, schema }) => [name, toArbitrary(schema, options, name)]),
      ),
      {
        requiredKeys: parameters
          .filter((parameter) => parameter.in === place && parameter.required)
          .map(({ name }) => name),
      },
    );
  const names = [...pattern.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const [[type, content] = []] = Object.entries(requestBody?.content ?? {});
  const valid: fc.Arbitrary<CallBody> =
    content === undefined
      ? fc.constant({ kind: 'none' })
      : bodyOf(`${type}`, toArbitrary(content.schema, options), pattern);
  return fc.record({
    ...EVERY_CALL,
    operation: fc.constant(operation),
    name: fc.constant(`${method} ${pattern}`),
    method: seldom(fc.constant(method), fc.constantFrom(...OTHER_METHODS), 30),
    pattern: fc.constant(pattern),
    caller: callerOf(security.length > 0, '403' in responses),
    path: fc.record(Object.fromEntries(names.map((name) => [name, pathValue(name)]))),
    query: valuesIn('query'),
    headers: valuesIn('header'),
    body: seldom(valid, rawBody, content === undefined ? 20 : 10),
    mutations: fc.oneof(
      { weight: 3, arbitrary: fc.constant<Mutation[]>([]) },
      { weight: 1, arbitrary: fc.array(mutation, { minLength: 1, maxLength: 2 }) },
    ),
  });
}

function bodyOf(
  type: string,
  value: fc.Arbitrary<unknown>,
  pattern: string,
): fc.Arbitrary<CallBody> {
  if (type === 'multipart/form-data')
    return fc.record({ kind: fc.constant('multipart' as const), value, files });
  if (type === 'application/x-www-form-urlencoded')
    // Artists log in with their email.
    return reference('email').chain((username) =>
      value.map((fields) => ({ kind: 'form' as const, value: { ...Object(fields), username } })),
    );
  // Events of the provider and mail programs.
  if (/webhook|mail\/stop/.test(pattern))
    return oddText.map((text) => ({ kind: 'raw' as const, text, type }));
  return value.map((fields) => ({ kind: 'json' as const, value: fields }));
}

function callerOf(needsToken: boolean, isForSuperusers: boolean): fc.Arbitrary<Caller> {
  const weights: readonly (readonly [Caller, number])[] = [
    ['target', needsToken ? 12 : 3],
    ['other', 2],
    ['superuser', isForSuperusers ? 8 : 1],
    ['nobody', needsToken ? 1 : 10],
    ['ended', 1],
    ['wrong', 1],
  ];
  return fc.oneof(...weights.map(([kind, weight]) => ({ weight, arbitrary: fc.constant(kind) })));
}

function pathValue(name: string): fc.Arbitrary<Reference | string> {
  return seldom(reference(name), oddText, 15);
}

/** The routes of `src/pages`, such as `/{username}/designs/{designId}`. */
function listPages(): string[] {
  const names = globSync('**/*.{astro,ts}', { cwd: PAGES }).filter((name) => !/(^|\/)_/.test(name));
  return names.map((name) => {
    const path = name.replace(/\.(astro|ts)$/, '').replace(/(^|\/)index$/, '');
    return `/${path.replace(/\[(?:\.\.\.)?(\w+)\]/g, '{$1}')}`;
  });
}

/** The parameters of pages, by the names that the API has for them. */
const PAGE_PARAMETERS: Readonly<Record<string, string>> = {
  designId: 'design_id',
  imageId: 'image_id',
  appointmentId: 'appt_id',
};
const FORM_ACTIONS = [
  'confirm',
  'release',
  'decline',
  'cancel',
  'change_email',
  'prove_email_change',
  'ask_copy',
  'ask_erasure',
];

/** The fields of all forms of pages. */
const formValues = fc.record(
  {
    action: fc.constantFrom(...FORM_ACTIONS),
    version: reference('version'),
    time_id: reference('time_id'),
    note: fc.constantFrom('A note', '').map((text) => new PrivateText(text)),
    email: fc.nat(11).map((nth) => `client-${nth}@fuzz.example`),
    links_email: fc.nat(11).map((nth) => `client-${nth}@fuzz.example`),
    name: fc.constant('Rosa'),
    message: fc
      .constantFrom('Hello', '<img src=x onerror=fuzz>')
      .map((text) => new PrivateText(text)),
    draft: fc.constant('1'),
    token: reference('stop_token'),
    stopped: fc.constantFrom('artist', 'everyone', 'nothing'),
  },
  { requiredKeys: ['name', 'email', 'message'] },
);

function pageCall(pattern: string): fc.Arbitrary<CallPlan> {
  const names = [...pattern.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const form: fc.Arbitrary<CallBody> = fc.record({
    kind: fc.constant('form' as const),
    value: formValues,
  });
  const common = {
    ...EVERY_CALL,
    operation: fc.constant(undefined),
    pattern: fc.constant(pattern),
    caller: seldom(fc.constant<Caller>('nobody'), fc.constant<Caller>('target')),
    path: fc.record(
      Object.fromEntries(
        names.map((name) => [
          name,
          name === 'part' || name === 'catchall' || name === 'missing'
            ? fc.oneof(oddText, fc.constantFrom('1', '2', '99999'))
            : pathValue(PAGE_PARAMETERS[name] ?? name),
        ]),
      ),
    ),
    query: fc.record(
      {
        service: reference('service_id'),
        design: reference('design_id'),
        mail_token: reference('mail_token'),
        token: reference('stop_token'),
        city: fc.constantFrom('Berlin', 'New York'),
        placement: fc.constantFrom('arms', 'legs', 'knee', ''),
        size: fc.constantFrom('small', 'large', 'tiny'),
        free: fc.constantFrom('1', '0'),
        after: oddText,
        links: fc.constantFrom('', 'sent'),
        sent: fc.constant('1'),
      },
      { requiredKeys: [] },
    ),
    headers: fc.constant({}),
    mutations: fc.array(mutation, { maxLength: 1 }),
  };
  const read = fc.record({
    ...common,
    name: fc.constant(`GET ${pattern}`),
    method: seldom(fc.constantFrom('GET', 'HEAD'), fc.constantFrom(...OTHER_METHODS)),
    body: fc.constant<CallBody>({ kind: 'none' }),
  });
  const post = fc.record({
    ...common,
    name: fc.constant(`POST ${pattern}`),
    method: fc.constant('POST'),
    body: seldom(form, rawBody, 5),
  });
  return fc.oneof({ weight: 3, arbitrary: read }, { weight: 1, arbitrary: post });
}
