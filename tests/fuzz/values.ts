/** Values for calls: those that a schema describes, and others that no schema does. */
import fc from 'fast-check';
import { PASSWORD } from '#support/new_artist.ts';
import type { Api, JsonSchema } from './openapi.ts';

/** Whose object a reference names: the target's of the call, another artist's, or a deleted one. */
type Whose = 'target' | 'other' | 'deleted';

/** Stands for a value that only the state of the run knows, such as the id of a design. */
export class Reference {
  /** Such as `design_id`. */
  readonly kind: string;
  readonly whose: Whose;
  /** Chooses one of several. */
  readonly pick: number;

  constructor(kind: string, whose: Whose, pick: number) {
    this.kind = kind;
    this.whose = whose;
    this.pick = pick;
  }
}

/** A text that only one artist and their client may read. The artist's marker is added to it. */
export class PrivateText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Must never be in a page: the text of an attacker, not escaped. */
export const RAW_HTML = /<img src=x onerror=fuzz|<script>fuzz/i;
/** Must never be the name of a header. */
export const INJECTED_HEADER = 'x-fuzz';

const ODD_TEXTS = [
  '',
  ' ',
  '\u0000',
  'NUL \u0000 inside',
  '\ud800',
  'half a \udc00 pair',
  '\u202eright to left\u202c',
  '\ufeff',
  'e\u0301 İı ß ﬁ',
  '💉'.repeat(40),
  '👩‍👩‍👧‍👦',
  'x'.repeat(5000),
  'x'.repeat(100_000),
  "'; DROP TABLE artists; --",
  '<img src=x onerror=fuzz>',
  '</script><script>fuzz()</script>',
  '"><img src=x onerror=fuzz>',
  '=HYPERLINK("http://fuzz.example")',
  'a\r\nX-Fuzz: 1',
  '%00%ff',
  '%',
  '\\',
  '%_%',
  '../../../../etc/passwd',
  '__proto__',
  'constructor',
  'null',
  'undefined',
  'NaN',
  '0',
  '-1',
  '1e400',
  '٣',
  '0000-01-01T00:00:00Z',
  '9999-12-31T23:59:00Z',
  '2030-06-01T10:00:60Z',
  '2026-02-30',
  '24:00',
  '00000000-0000-0000-0000-000000000000',
  'FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF',
];
const WORDS = [
  'Rosa',
  'A swallow, please.',
  'Flash',
  'Line one\nline two',
  '<img src=x onerror=fuzz>',
  '"><script>fuzz()</script>',
  "O'Neil & Söhne",
  '日本語の名前',
  '🐍🌹',
  '100% _under_',
];
const TIME_ZONES = [
  'America/New_York',
  'Europe/Berlin',
  'Asia/Kathmandu',
  'Pacific/Apia',
  'Australia/Lord_Howe',
  'UTC',
  'America/St_Johns',
  'Nowhere/Land',
];
/** Of keys that repeat. */
const UUID_START = 'f3b6f0f4-8b7e-4a2c-8a53-0d4b2b6a9d1';
const HOUR_MS = 3_600_000;

/** Any text, mostly one that no field expects. */
export const oddText = fc.oneof(
  fc.constantFrom(...ODD_TEXTS),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
);

/** Any value of JSON, mostly one that no field expects. */
export const oddValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: oddText },
  {
    weight: 4,
    arbitrary: fc.constantFrom<unknown>(
      null,
      true,
      0,
      -1,
      1.5,
      1e308,
      2_147_483_648,
      1e21,
      [],
      [null],
      [[[[]]]],
      {},
      { toString: null },
      { length: -1 },
      Array(3000).fill(null),
    ),
  },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
);

const pick = fc.nat(999);

/** A reference, mostly to an object of the call's target. */
export function reference(kind: string, weights = { other: 3, deleted: 2 }) {
  const whose = fc.oneof(
    { weight: 30, arbitrary: fc.constant<Whose>('target') },
    { weight: weights.other, arbitrary: fc.constant<Whose>('other') },
    { weight: weights.deleted, arbitrary: fc.constant<Whose>('deleted') },
  );
  return fc.tuple(whose, pick).map(([of, chosen]) => new Reference(kind, of, chosen));
}

/** An email of a small group of clients, so that they meet again. */
const clientEmail = fc.nat(11).map((nth) => `client-${nth}@fuzz.example`);

/** The fields whose values depend on the state, or which random values would hardly ever fit. */
const FIELDS: Readonly<Record<string, () => fc.Arbitrary<unknown>>> = {
  email: () =>
    fc.oneof(
      { weight: 20, arbitrary: clientEmail },
      { weight: 2, arbitrary: reference('email') },
      { weight: 1, arbitrary: fc.emailAddress() },
    ),
  username: () =>
    fc.oneof(
      { weight: 20, arbitrary: reference('username') },
      { weight: 4, arbitrary: fc.stringMatching(/^[a-z0-9][a-z0-9_-]{4,12}[a-z0-9]$/) },
    ),
  password: () => fc.constant(PASSWORD),
  confirm_password: () => fc.constant(PASSWORD),
  current_password: () => fc.oneof({ weight: 6, arbitrary: fc.constant(PASSWORD) }, oddText),
  new_password: () => fc.constant(PASSWORD),
  token: () =>
    fc.oneof(
      ...['reset_token', 'prove_token', 'undo_token', 'stop_token', 'mail_token'].map((kind) =>
        reference(kind),
      ),
    ),
  mail_token: () => reference('mail_token'),
  time_zone: () => fc.constantFrom(...TIME_ZONES),
  version: () =>
    fc.oneof({ weight: 3, arbitrary: reference('version') }, fc.integer({ min: 0, max: 9 })),
  'idempotency-key': () =>
    fc.oneof(
      fc.uuid(),
      fc.nat(9).map((nth) => `${UUID_START}${nth}`),
    ),
  phone_number: () => fc.constantFrom('(212) 555-0100', '+49 30 1234567', ''),
  replaces: () => fc.oneof({ weight: 4, arbitrary: fc.constant(null) }, reference('appt_id')),
  ids: () => fc.array(reference('message_id'), { maxLength: 3 }),
  year: () =>
    fc.oneof({ weight: 5, arbitrary: reference('year') }, fc.integer({ min: 1900, max: 9999 })),
  month: () =>
    fc.oneof({ weight: 5, arbitrary: reference('month') }, fc.integer({ min: 1, max: 12 })),
  after: () => reference('cursor'),
  closed_after: () => reference('cursor'),
  service: () => reference('service_id'),
  design: () => reference('design_id'),
  appointment_id: () => reference('appt_id'),
  city: () => fc.constantFrom('Berlin', 'New York', 'nowhere'),
  skip: () => fc.oneof({ weight: 3, arbitrary: fc.nat(5) }, fc.nat(2_147_483_647)),
};

/** Ends the name of a field that holds an id. */
const ID_FIELD = /^(?:service|design|client|image|appt|time|request)_id$/;

const MANY_FIELDS = 8;

export interface ValueOptions {
  readonly resolve: Api['resolve'];
  /** Whether only the artist and their client may read the texts. */
  readonly isPrivate: boolean;
}

/** A value that fits the schema, apart from rules that the schema does not tell. */
export function toArbitrary(
  schemaOrReference: JsonSchema,
  options: ValueOptions,
  name = '',
): fc.Arbitrary<unknown> {
  const schema = options.resolve(schemaOrReference);
  const field = ID_FIELD.test(name) ? () => reference(name) : FIELDS[name];
  if (field) return isNullable(schema) ? fc.oneof(field(), fc.constant(null)) : field();
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives) return fc.oneof(...alternatives.map((one) => toArbitrary(one, options, name)));
  if ('const' in schema) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  switch (schema.type) {
    case 'object':
      return objectOf(schema, options);
    case 'array':
      return fc.array(toArbitrary(schema.items ?? {}, options), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.min(schema.maxItems ?? 3, 3),
      });
    case 'string':
      return textOf(schema, options);
    case 'integer':
    case 'number': {
      const { minimum: min = 0, maximum: max = 1000 } = schema;
      return fc.oneof(
        fc.integer({ min, max }),
        fc.integer({ min, max: Math.min(max, Math.max(min, 0) + 100) }),
      );
    }
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    default:
      return oddValue;
  }
}

function isNullable({ anyOf = [] }: JsonSchema): boolean {
  return anyOf.some(({ type }) => type === 'null');
}

function objectOf(schema: JsonSchema, options: ValueOptions): fc.Arbitrary<unknown> {
  const { properties = {}, required = [] } = schema;
  const fields = Object.entries(properties).filter(([, { contentMediaType }]) => !contentMediaType);
  const record = fc.record(
    Object.fromEntries(fields.map(([name, field]) => [name, toArbitrary(field, options, name)])),
    { requiredKeys: required.filter((name) => fields.some(([other]) => other === name)) },
  );
  // Of many optional fields, one would mostly be refused by a rule that the schema does not tell.
  if (required.length === 0 && fields.length > MANY_FIELDS)
    return fc
      .tuple(record, fc.subarray(Object.keys(properties), { maxLength: 3 }))
      .map(([value, names]) =>
        Object.fromEntries(Object.entries(value).filter(([name]) => names.includes(name))),
      );
  if (!isInstant(properties['start']) || !isInstant(properties['end'])) return record;
  // The start and the end of one free time of the service.
  return fc.tuple(record, pick, fc.nat(9)).map(([value, chosen, dice]) => {
    if (dice === 0) return value;
    // A change is either of the status or of the time.
    if (!required.includes('start') && dice > 4) {
      const { start: _, end: __, ...change } = value;
      return change;
    }
    const free = (kind: string) => new Reference(kind, 'target', chosen);
    const { status: _, ...time } = value;
    return {
      ...('status' in value && !required.includes('status') ? time : value),
      start: free('slot_start'),
      end: free('slot_end'),
      ...('service_id' in value && dice > 1 && { service_id: free('slot_service') }),
    };
  });
}

function isInstant(schema: JsonSchema | undefined): boolean {
  return [schema, ...(schema?.anyOf ?? [])].some((one) => one?.format === 'date-time');
}

function textOf(
  { minLength = 0, maxLength = 200, pattern = '', format }: JsonSchema,
  { isPrivate }: ValueOptions,
): fc.Arbitrary<unknown> {
  if (format === 'uuid') return fc.uuid();
  if (format === 'date-time')
    return fc
      .integer({ min: -48, max: 2000 })
      .map((hours) => toMinute(Date.now() + hours * HOUR_MS));
  if (format === 'date')
    return fc
      .integer({ min: -2, max: 400 })
      .map((days) => toMinute(Date.now() + days * 24 * HOUR_MS).slice(0, 10));
  if (pattern === '^[\\w-]+$')
    return fc.oneof(fc.base64String(), fc.stringMatching(/^[\w-]{4,40}$/));
  if (/\[0-5\]\\d\$$/.test(pattern)) {
    const time = fc.tuple(fc.nat(23), fc.constantFrom('00', '15', '30', '59'));
    return time.map(([hour, minute]) => `${String(hour).padStart(2, '0')}:${minute}`);
  }
  const text = fc
    .oneof(
      { weight: 6, arbitrary: fc.constantFrom(...WORDS) },
      { weight: 2, arbitrary: fc.string({ unit: 'grapheme', maxLength: 30 }) },
      { weight: 1, arbitrary: fc.constant('x'.repeat(Math.min(maxLength, 5000))) },
    )
    .map((long) => long.slice(0, maxLength).padEnd(minLength, 'x'));
  // The marker must fit.
  return isPrivate && maxLength >= 50
    ? text.map((one) => new PrivateText(one.slice(0, maxLength - 20)))
    : text;
}

function toMinute(instant: number): string {
  return `${new Date(instant).toISOString().slice(0, 16)}:00Z`;
}
