/** Says what is wrong with an answer. */
import { Window as HtmlWindow } from 'happy-dom';
import * as z from 'zod';
import type { HttpAnswer } from './http_exchange.ts';
import type { Api, ApiOperation } from './openapi.ts';
import type { ResolvedCall } from './resolve_call.ts';
import type { FuzzState } from './state.ts';
import { INJECTED_HEADER, RAW_HTML } from './values.ts';

const { DOMParser } = new HtmlWindow();

/** The statuses of pages. A page of a failed API call has the status of that call. */
const PAGE_STATUSES = [
  ...[200, 204, 301, 302, 303, 304, 308, 400, 401, 403, 404, 405],
  ...[408, 409, 410, 413, 415, 422, 429, 503],
];
/** Node refuses longer headers and addresses with 431. */
const MAX_HEADER_BYTES = 16 * 1024;
/** In an undisturbed run, no part of the service is down. */
const DOWN = 'A part of the service is down';
/** Superusers read and change accounts, and nothing else of other artists. */
const FOR_SUPERUSERS = /^\/api\/v1\/(?:users\/\{user_id\}$|admin\/)/;
const Problem = z.object({ detail: z.union([z.string(), z.array(z.unknown())]) });

/** What is wrong with the answer, in a few words that are the same for each case of a defect. */
export function judge(
  call: ResolvedCall,
  answer: HttpAnswer,
  api: Api,
  state: FuzzState,
): string | undefined {
  const { operation } = call.plan;
  const text = answer.body.toString();
  if (answer.status === 0) return mayLackAnswer(call) ? undefined : `no answer: ${text}`;
  if (answer.status === 431 && headerBytes(call) > MAX_HEADER_BYTES) return undefined;
  if (answer.status >= 500 && answer.status !== 503) return `status ${answer.status}`;
  if (answer.status === 503 && (text.includes(DOWN) || !answer.headers['retry-after']))
    return `503: ${text.slice(0, 80)}`;
  if (answer.headers[INJECTED_HEADER] !== undefined) return 'a header of the attacker';
  const isDone = answer.status >= 200 && answer.status < 300 && call.method !== 'OPTIONS';
  if (operation && isDone && call.namesDeleted) return `status ${answer.status} after a deletion`;
  if (operation && isDone && namesForeign(call, operation, state))
    return `status ${answer.status} for the object of another artist`;
  return (
    findForeignData(call, text, state) ??
    (operation && isDocumentedCall(call, operation) && !isShed(answer, operation)
      ? judgeDocumented(call, answer, operation, api)
      : operation
        ? judgeOther(answer)
        : judgePage(call, answer, text))
  );
}

/** Whether the server refused the call before it knew which operation it is for. */
function isShed({ status }: HttpAnswer, { responses }: ApiOperation): boolean {
  return status === 503 && !('503' in responses);
}

/** Whether the path of a call by an artist names an object of another artist. */
function namesForeign(
  { caller, parameters }: ResolvedCall,
  { security, path }: ApiOperation,
  state: FuzzState,
): boolean {
  if (security.length === 0 || !caller) return false;
  if (state.isSuperuser(caller) && FOR_SUPERUSERS.test(path)) return false;
  return Object.values(parameters).some((value) => {
    const owner = state.ownerOf(value);
    return owner !== undefined && owner !== caller;
  });
}

function headerBytes({ path, headers }: ResolvedCall): number {
  return path.length + JSON.stringify(headers).length;
}

/** A server that refuses a body unread closes the connection, which can overtake its answer. */
function mayLackAnswer({ body, headers }: ResolvedCall): boolean {
  return body !== undefined || 'transfer-encoding' in headers;
}

/** Whether the call reaches the operation as documented, so that its answer is, too. */
function isDocumentedCall(
  { plan, parameters, headers }: ResolvedCall,
  operation: ApiOperation,
): boolean {
  const isHostValid = !`${headers['host'] ?? ''}`.includes('/');
  const arePartsValid = Object.values(parameters).every((value) => !/^\.{0,2}$/.test(value));
  const isPathKept = ['none', 'slash', 'encoded'].includes(plan.pathChange);
  return plan.method === operation.method && isHostValid && arePartsValid && isPathKept;
}

function judgeDocumented(
  { headers: sent, caller }: ResolvedCall,
  { status, headers, body }: HttpAnswer,
  operation: ApiOperation,
  api: Api,
): string | undefined {
  if (status === 304 && operation.method === 'GET' && 'if-none-match' in sent) return undefined;
  const documented = operation.responses[status];
  if (!documented) return `undocumented status ${status}`;
  const cacheControl = headers['cache-control'] ?? '';
  if (caller && operation.security.length > 0 && !/no-store|private/.test(cacheControl))
    return `caches may store it: ${cacheControl}`;
  const [[type, content] = []] = Object.entries(documented.content ?? {});
  if (type === undefined || !content) return body.length === 0 ? undefined : 'an undocumented body';
  const sentType = headers['content-type']?.split(';')[0];
  if (sentType !== type) return `status ${status} with content type ${sentType}`;
  if (type !== 'application/json') return undefined;
  const mismatch = api.findMismatch(content.schema, JSON.parse(body.toString()));
  return mismatch === undefined ? undefined : `status ${status} with ${mismatch}`;
}

/** Errors of calls that no operation documents have the form of the documented ones. */
function judgeOther({ status, headers, body }: HttpAnswer): string | undefined {
  if (status < 400 || !headers['content-type']?.startsWith('application/json')) return undefined;
  if (body.length === 0) return undefined;
  const isProblem = Problem.safeParse(JSON.parse(body.toString())).success;
  return isProblem ? undefined : `status ${status} without a detail`;
}

function judgePage(
  { plan }: ResolvedCall,
  { status, headers }: HttpAnswer,
  text: string,
): string | undefined {
  if (!PAGE_STATUSES.includes(status)) return `undocumented status ${status}`;
  if (!headers['content-type']?.startsWith('text/html') || text === '') return undefined;
  if (RAW_HTML.test(text) && hasInjectedElement(text)) return 'HTML of the attacker';
  if (plan.method !== 'HEAD' && status === 200 && !text.trimEnd().endsWith('</html>'))
    return 'half a page';
  return undefined;
}

/** In an attribute, HTML of an attacker is only text. */
function hasInjectedElement(text: string): boolean {
  const page = new DOMParser().parseFromString(text, 'text/html');
  const scripts = [...page.querySelectorAll('script')];
  return (
    page.querySelector('[onerror]') !== null ||
    scripts.some(({ textContent }) => textContent.startsWith('fuzz'))
  );
}

/** Whose private texts the answer contains although its reader may not see them. */
function findForeignData(
  { plan, path, body, caller, reader, parameters }: ResolvedCall,
  text: string,
  state: FuzzState,
): string | undefined {
  const sent = path + (body?.toString() ?? '');
  const appointmentId = parameters['appt_id'] ?? parameters['appointmentId'] ?? '';
  const readers = [
    caller,
    // The id of an appointment lets everyone open its page.
    ...(plan.pattern.includes('confirmation') ? [state.ownerOf(appointmentId)] : []),
    // A repeated request answers the appointment of the first one.
    ...(plan.pattern.includes('/appointments/request/') ? [reader] : []),
  ];
  const foreign = state.artists.find(
    (artist) =>
      text.includes(artist.marker) && !readers.includes(artist) && !sent.includes(artist.marker),
  );
  return foreign && 'private text of another artist';
}
