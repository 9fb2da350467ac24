import { expect, test } from 'vitest';
import { startSession } from '#stores/session.ts';
import {
  $keptClientId,
  $mergeCandidates,
  $otherSearch,
  mergeClient,
  startMerge,
} from '#stores/studio/client_merge.ts';
import { $toasts } from '#stores/toasts.ts';
import { type ApiCall, stubApi } from '#support/fake_api.ts';
import { createClient, toastTexts, toListed } from '#support/fake_schedule_api.ts';
import { reloadStore } from '#support/query_stores.ts';

const ROSA = createClient({ id: 'rosa' });
const TWIN = { ...ROSA, id: 'twin' };
const MERGED = { id: 'merge', client: ROSA, undo_until: '2026-12-01T13:00:00Z' };

test('the other client is looked for by the first name and is never the same one; Undo undoes the merge', async () => {
  let respond: (call: ApiCall) => object = () => toListed(ROSA, TWIN);
  const calls = stubApi((call) => respond(call));
  startSession('one');
  startMerge(ROSA);
  expect($otherSearch.get()).toBe('Rosa');
  const { data } = await reloadStore($mergeCandidates);
  expect(data?.map(({ id }) => id)).toEqual(['twin']);
  respond = ({ method }) => (method === 'POST' ? MERGED : toListed());
  await mergeClient({ id: 'rosa', name: 'Rosa Quint' }, { id: 'twin', name: 'R. Quint' });
  expect($keptClientId.get()).toBeNull();
  const [toast] = $toasts.get();
  expect([toast?.title, toast?.text, toast?.action?.label]).toEqual([
    'Merged.',
    'The appointments of R. Quint are with Rosa Quint now.',
    'Undo',
  ]);
  respond = ({ method }) => (method === 'POST' ? ROSA : toListed());
  toast?.action?.run();
  await expect.poll(toastTexts).toContain('Undone. There are two clients again.');
  const posts = calls.filter(({ method }) => method === 'POST');
  expect(posts.map(({ path, body }) => [path, body])).toEqual([
    ['clients/rosa/merge', { client_id: 'twin' }],
    ['clients/merges/merge/undo', {}],
  ]);
});
