/** Remembers ids, versions and tokens from answers, so that later calls can use them. */
import * as z from 'zod';
import type { HttpAnswer } from './http_exchange.ts';
import type { ResolvedCall } from './resolve_call.ts';
import type { FuzzArtist, FuzzState } from './state.ts';

const Found = z.looseObject({
  id: z.string(),
  version: z.number().optional(),
  client: z.object({ id: z.string() }).optional().catch(undefined),
  times: z
    .array(z.object({ id: z.string() }))
    .optional()
    .catch(undefined),
});
const List = z.object({ data: z.array(Found) });
const Account = z.object({ id: z.string(), email: z.string(), username: z.string() });
const Rights = z.object({ id: z.string(), is_superuser: z.boolean() });
const Token = z.object({ access_token: z.string() });
const Cursors = z.object({ next: z.record(z.string(), z.string()) });

/** The kinds of the objects that the operations below a path return. */
const KINDS: readonly (readonly [RegExp, string])[] = [
  [/^\/appointments/, 'appt_id'],
  [/^\/designs/, 'design_id'],
  [/^\/images/, 'image_id'],
  [/^\/services/, 'service_id'],
  [/^\/clients\/data-requests/, 'request_id'],
  [/^\/clients\/.*merge/, 'merge_id'],
  [/^\/clients/, 'client_id'],
  [/\/contact$|^\/users\/me\/messages/, 'message_id'],
  [/^\/(?:admin\/)?mails/, 'mail_id'],
  [/^\/users\/me\/exports/, 'export_id'],
  [/^\/users\/me\/sessions/, 'session_id'],
  [/^\/users\/me\/passkeys/, 'passkey_id'],
  [/^\/users\/me\/blocked/, 'blocked_id'],
];

/** Learns from the answer to a documented operation. */
export async function learn(
  call: ResolvedCall,
  answer: HttpAnswer,
  state: FuzzState,
): Promise<void> {
  const { plan, caller } = call;
  if (!plan.operation || plan.method !== plan.operation.method) return;
  const path = plan.pattern.replace('/api/v1', '');
  if (answer.status === 401 && caller) await state.revive(caller);
  if (answer.status < 200 || answer.status > 299) return;
  const kind = KINDS.find(([pattern]) => pattern.test(path))?.[1];
  if (plan.method === 'DELETE') {
    const [, id] = Object.entries(call.parameters)[0] ?? [];
    if (kind !== undefined && id !== undefined) state.removeId(kind, id);
    if (caller && /^\/users\/(me|\{user_id\})/.test(path)) await state.revive(caller);
    return;
  }
  const body = parse(answer);
  const rights = Rights.safeParse(body).data;
  if (rights) state.setSuperuser(rights.id, rights.is_superuser);
  if (caller) await learnAccount(path, { ...call, caller }, body, state);
  learnCursors(body, state);
  const owner = findOwner(path, call, state);
  if (kind === undefined || !owner) return;
  const found = List.safeParse(body).data?.data ?? [Found.safeParse(body).data];
  for (const one of found) if (one) remember(one, kind, owner, state);
}

/** The artist of the objects in an answer. Those that everyone may read say nothing about it. */
function findOwner(
  path: string,
  { plan, caller, reader, parameters }: ResolvedCall,
  state: FuzzState,
): FuzzArtist | undefined {
  if (path.includes('confirmation')) return state.ownerOf(parameters['appt_id'] ?? '');
  // A request belongs to the artist who is asked.
  if (/^\/appointments\/request\/|\/contact$/.test(path)) return reader;
  return plan.operation?.security.length ? caller : undefined;
}

function remember(
  { id, version, client, times = [] }: z.output<typeof Found>,
  kind: string,
  owner: FuzzArtist,
  state: FuzzState,
): void {
  if (version !== undefined) state.setVersion(id, version);
  state.addId(kind, owner, id);
  if (client) state.addId('client_id', owner, client.id);
  for (const time of times) state.addId('time_id', owner, time.id);
}

async function learnAccount(
  path: string,
  { caller, plan }: Pick<ResolvedCall, 'plan'> & { readonly caller: FuzzArtist },
  body: unknown,
  state: FuzzState,
): Promise<void> {
  if (/^\/users\/me(\/password|\/sessions\/end-others)$/.test(path)) {
    const token = Token.safeParse(body).data?.access_token;
    if (token === undefined) return;
    // Of two calls at once, the server may have served the second one first: either token may have ended.
    if (!plan.isTwice) caller.endedTokens.push(caller.token);
    caller.token = token;
    if (plan.isTwice) await state.revive(caller);
  }
  const account = path === '/users/me' ? Account.safeParse(body).data : undefined;
  if (account?.id !== caller.id) return;
  caller.username = account.username;
  caller.email = account.email;
}

function learnCursors(body: unknown, state: FuzzState): void {
  const { next = {} } = Cursors.safeParse(body).data ?? {};
  for (const cursor of Object.values(next)) state.addToken('cursor', cursor);
}

function parse({ headers, body }: HttpAnswer): unknown {
  if (!headers['content-type']?.startsWith('application/json')) return undefined;
  return JSON.parse(body.toString());
}
