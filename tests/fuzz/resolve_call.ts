/** Makes the call of a plan: fills in what the state knows, and writes the bytes. */
import * as z from 'zod';
import { createFlatPicture } from '#support/pictures.ts';
import { type CallBody, type CallPlan, type FileKind, PATH_CHANGES } from './call_plan.ts';
import type { HttpCall } from './http_exchange.ts';
import type { FuzzArtist, FuzzState } from './state.ts';
import { PrivateText, Reference } from './values.ts';

export interface ResolvedCall extends HttpCall {
  readonly plan: CallPlan;
  /** Who may read the private texts that it sends. */
  readonly reader: FuzzArtist;
  /** Whose token it carries, if the token is valid. */
  readonly caller: FuzzArtist | undefined;
  /** The values of the path's parameters. */
  readonly parameters: Readonly<Record<string, string>>;
  /** Whether the path names an object that an earlier call has deleted. */
  readonly namesDeleted: boolean;
}

const BOUNDARY = 'fuzz-boundary';

export async function createFiles(): Promise<Readonly<Record<FileKind, Buffer>>> {
  const picture = await createFlatPicture(60, 40).jpeg().toBuffer();
  return {
    picture,
    portrait: await createFlatPicture(300, 400).png().toBuffer(),
    cut: picture.subarray(0, picture.length / 2),
    text: Buffer.from('not a picture'),
    empty: Buffer.alloc(0),
    svg: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>fuzz()</script></svg>'),
  };
}

export function resolveCall(
  plan: CallPlan,
  state: FuzzState,
  files: Readonly<Record<FileKind, Buffer>>,
): ResolvedCall {
  const target = state.living(plan.target);
  const { caller, token } = findCaller(plan, state, target);
  let appointmentId = '';
  /** Who may read the private texts that the call sends. */
  let reader = target;
  const fill = (value: unknown): unknown => {
    if (value instanceof Reference) return state.lookUp(value, target, appointmentId);
    if (value instanceof PrivateText) return `${value.text} ${reader.marker}`;
    if (Array.isArray(value)) return value.map(fill);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, fill(field)]));
  };
  const parameters = Object.fromEntries(
    Object.entries(plan.path).map(([name, value]) => [name, `${fill(value)}`.toWellFormed()]),
  );
  appointmentId = parameters['appt_id'] ?? parameters['appointmentId'] ?? '';
  const fields = toForm(fill(plan.query));
  const username = parameters['username'] ?? fields.get('username');
  reader =
    (plan.operation?.security.length ? caller : state.ownerOf(appointmentId)) ??
    state.artists.find((artist) => artist.username === username) ??
    // A request for a design goes to its artist.
    state.ownerOf(designOf(fill(plan.body))) ??
    target;
  const queries = [fields.toString(), plan.extraQuery].filter((part) => part !== '').join('&');
  const plainPath = fillPath(plan.pattern, parameters);
  const path = PATH_CHANGES[plan.pathChange]?.(plainPath) ?? plainPath;
  const { body, type } = writeBody(plan, plan.body, fill, files);
  const headers = {
    // Node would send the body of a GET without its length.
    ...(body &&
      !plan.extraHeaders.some(({ name }) => name === 'Transfer-Encoding') && {
        'content-length': body.length,
      }),
    ...(type !== '' && { 'content-type': type }),
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
    ...Object.fromEntries(
      [
        ...Object.entries(plan.headers).map(([name, value]) => [name, `${fill(value)}`]),
        ...plan.extraHeaders.map(({ name, value }) => [name.toLowerCase(), value]),
      ].map(([name = '', value = '']) => [name, value.replace(/[^\t\x20-\x7e\x80-\xff]/g, '?')]),
    ),
  };
  const address = queries === '' ? path : `${path}?${queries}`;
  return {
    plan,
    reader,
    // Another token may have come with the headers.
    caller: headers['authorization'] === `Bearer ${caller?.token}` ? caller : undefined,
    parameters,
    namesDeleted: Object.values(parameters).some((value) => state.isDeleted(value)),
    method: plan.method,
    path: address.replace(/[^\x21-\x7e\x80-\xff]/g, (one) =>
      encodeURIComponent(one.toWellFormed()),
    ),
    headers,
    body,
  };
}

/** The call with the token of another artist, if it names an object of its caller. */
export function asOtherArtist(call: ResolvedCall, state: FuzzState): ResolvedCall | undefined {
  const { caller, parameters, plan } = call;
  const isOwn = Object.values(parameters).some((value) => state.ownerOf(value) === caller);
  const other = [state.living(plan.target), state.living(plan.target + 1)].find(
    (artist) => artist !== caller && artist !== state.superuser(),
  );
  if (!caller || !isOwn || !other) return undefined;
  return {
    ...call,
    caller: other,
    headers: { ...call.headers, authorization: `Bearer ${other.token}` },
  };
}

function designOf(body: unknown): string {
  return (
    z.object({ value: z.object({ design_id: z.string() }) }).safeParse(body).data?.value
      .design_id ?? ''
  );
}

function fillPath(pattern: string, parameters: Readonly<Record<string, string>>): string {
  return pattern.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(parameters[name] ?? ''),
  );
}

function findCaller({ caller, target: pick }: CallPlan, state: FuzzState, target: FuzzArtist) {
  const as = (artist: FuzzArtist) => ({ caller: artist, token: artist.token });
  switch (caller) {
    case 'target':
      return as(target);
    case 'other':
      return as(state.living(pick + 1));
    case 'superuser':
      return as(state.superuser());
    case 'nobody':
      return { caller: undefined, token: undefined };
    case 'ended':
      return {
        caller: undefined,
        token: state.artists.flatMap(({ endedTokens }) => endedTokens).at(-1 - (pick % 5)),
      };
    case 'wrong':
      return { caller: undefined, token: `${target.token.slice(0, -3)}xyz` };
  }
}

function writeBody(
  { mutations }: CallPlan,
  body: CallBody,
  fill: (value: unknown) => unknown,
  files: Readonly<Record<FileKind, Buffer>>,
): { body: Buffer | undefined; type: string } {
  if (body.kind === 'none') return { body: undefined, type: '' };
  if (body.kind === 'raw') return { body: Buffer.from(body.text), type: body.type };
  const value = mutations.reduce(mutate, fill(body.value));
  if (body.kind === 'json')
    return { body: Buffer.from(JSON.stringify(value) ?? ''), type: 'application/json' };
  if (body.kind === 'form')
    return {
      body: Buffer.from(toForm(value).toString()),
      type: 'application/x-www-form-urlencoded',
    };
  const parts = [
    ...[...toForm(value)].map(([name, text]) =>
      writePart(`name="${name.replace(/["\r\n]/g, '')}"`, text),
    ),
    ...body.files.map((kind) => writePart(`name="file"; filename="${kind}.png"`, files[kind])),
    Buffer.from(`--${BOUNDARY}--\r\n`),
  ];
  return { body: Buffer.concat(parts), type: `multipart/form-data; boundary=${BOUNDARY}` };
}

function writePart(disposition: string, content: string | Buffer): Buffer {
  return Buffer.concat([
    Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n`),
    Buffer.from(content),
    Buffer.from('\r\n'),
  ]);
}

function toForm(value: unknown): URLSearchParams {
  const fields = Object.entries(Object(value)).filter(([, field]) => field !== undefined);
  return new URLSearchParams(
    fields.map(([name, field]) => [
      name,
      typeof field === 'object' && field !== null ? (JSON.stringify(field) ?? '') : `${field}`,
    ]),
  );
}

/** Replaces, removes or adds a field at any depth. */
function mutate(value: unknown, mutation: CallPlan['mutations'][number]): unknown {
  const places = listPlaces(value);
  const place = places[mutation.pick % places.length] ?? [];
  return changeAt(value, place, mutation);
}

function listPlaces(value: unknown, path: readonly string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [[...path]];
  const below = Object.entries(value).flatMap(([name, field]) =>
    listPlaces(field, [...path, name]),
  );
  return path.length === 0 && below.length > 0 ? below : [[...path], ...below];
}

function changeAt(
  value: unknown,
  [name, ...rest]: readonly string[],
  { kind, value: odd, pick }: CallPlan['mutations'][number],
): unknown {
  if (name === undefined || typeof value !== 'object' || value === null) return odd;
  const fields = Object.entries(value).flatMap(([key, field]): [string, unknown][] => {
    if (key !== name) return [[key, field]];
    if (rest.length > 0) return [[key, changeAt(field, rest, { kind, value: odd, pick })]];
    if (kind === 'remove') return [];
    return kind === 'add'
      ? [
          [key, field],
          [`${key}_more`, odd],
        ]
      : [[key, odd]];
  });
  return Array.isArray(value) ? fields.map(([, field]) => field) : Object.fromEntries(fields);
}
