import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startSession } from '#stores/session.ts';
import { $client, $clientId } from '#stores/studio/clients.ts';
import { $dataRequests, finishDataRequest } from '#stores/studio/data_requests.ts';
import { $toasts } from '#stores/toasts.ts';
import { problemResponse, stubApi } from '#support/fake_api.ts';
import { toastTexts, toListed } from '#support/fake_schedule_api.ts';

let done: () => Response;
let calls: string[];
let stops: (() => void)[];

beforeEach(() => {
  $toasts.set([]);
  calls = [];
  stops = [];
  done = () => new Response(null, { status: 204 });
  startSession('token');
  stubApi(({ method, path }) => {
    calls.push(`${method} ${path}`);
    return method === 'POST' ? done() : toListed();
  });
});
afterEach(() => {
  for (const stop of stops) stop();
  $clientId.set(null);
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** Shows the list on Home and the client's page, and forgets the calls that load them. */
async function show(): Promise<void> {
  $clientId.set('rosa');
  stops = [$dataRequests.listen(() => {}), $client.listen(() => {})];
  await vi.waitFor(() => expect($client.get().loading).toBe(false));
  await vi.waitFor(() => expect($dataRequests.get().loading).toBe(false));
  calls = [];
}

const RELOADS = new Set(['GET clients/data-requests', 'GET clients/rosa']);

test('a request that is gone is reported, and both are loaded again', async () => {
  await show();
  done = () => problemResponse(404, 'Not found');
  await finishDataRequest('rosa', 'one');
  await vi.waitFor(() => expect(new Set(calls.slice(1))).toEqual(RELOADS));
  expect(toastTexts()).toEqual([expect.stringContaining('Not found')]);
});
