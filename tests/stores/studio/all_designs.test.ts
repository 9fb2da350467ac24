import { expect, test } from 'vitest';
import { startSession } from '#stores/session.ts';
import { $allDesigns } from '#stores/studio/all_designs.ts';
import { stubApi } from '#support/fake_api.ts';
import { reloadStore } from '#support/query_stores.ts';

test('all designs can be chosen, also those beyond one page of the API', async () => {
  stubApi(({ query }) => ({ data: [{ id: `at ${query.get('skip')}` }], count: 201 }));
  startSession('one');
  const { data = [] } = await reloadStore($allDesigns);
  expect(data.map(({ id }) => id)).toEqual(['at 0', 'at 200']);
});
