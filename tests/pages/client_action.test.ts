import { expect, test } from 'vitest';
import type { Answer } from '#contract/endpoint.ts';
import { runPostedAction } from '../../src/pages/_client_action.ts';

test.each([
  ['confirm', 403, 3],
  ['confirm', 409, 3],
  ['confirm', 400, undefined],
  ['cancel', 409, undefined],
])('%s that the API answers with %i', async (action, status, confirmedVersion) => {
  const answer = { ok: false, status, statusText: '', detail: 'No.' } as const;
  const api = { send: (): Promise<Answer<never>> => Promise.resolve(answer) };
  const body = new URLSearchParams({ action, version: '3' });
  const request = new Request('http://localhost', { method: 'POST', body });
  const refused = await runPostedAction(api, 'id', request, { mailToken: null, changeToken: null });
  expect(refused).toMatchObject({ status, confirmedVersion, text: 'No.' });
});
