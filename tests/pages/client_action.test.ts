import { expect, test } from 'vitest';
import { runPostedAction } from '../../src/pages/_client_action.ts';

test.each([
  ['confirm', 403, 3],
  ['confirm', 409, 3],
  ['cancel', 409, undefined],
])('%s that the API answers with %i', async (action, status, confirmedVersion) => {
  const api = { send: async () => ({ ok: false, status, statusText: '', detail: '' }) as const };
  const body = new URLSearchParams({ action, version: '3' });
  const request = new Request('http://localhost', { method: 'POST', body });
  const refused = await runPostedAction(api, 'id', request, { mailToken: null, changeToken: null });
  expect(refused).toMatchObject({ status, confirmedVersion });
});
