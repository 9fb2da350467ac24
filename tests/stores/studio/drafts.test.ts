import { beforeEach, expect, test, vi } from 'vitest';
import type { Design } from '#contract/design.ts';
import { startSession } from '#stores/session.ts';
import { designUploads } from '#stores/studio/designs.ts';
import { $draftProgress, $drafts, saveDrafts } from '#stores/studio/drafts.ts';
import { $toasts } from '#stores/toasts.ts';
import { NO_DESIGN_FACTS } from '#support/design_facts.ts';
import { type ApiCall, problemResponse, stubApi } from '#support/fake_api.ts';
import { createImage, toastTexts, toListed } from '#support/fake_schedule_api.ts';
import { waitForLoaded } from '#support/query_stores.ts';

function createDraft(id: string, status: Design['status'] = 'draft'): Design {
  return {
    ...{ id, name: id, description: '', status },
    image: createImage(id),
    ...NO_DESIGN_FACTS,
  };
}

let calls: ApiCall[];
let stored: Design[];
let refuse: (call: ApiCall) => Response | undefined;

beforeEach(async () => {
  $toasts.set([]);
  stored = [createDraft('rose'), createDraft('swallow', 'available'), createDraft('dagger')];
  refuse = () => undefined;
  calls = stubApi((call) => {
    const refusal = refuse(call);
    if (refusal) return refusal;
    if (call.method === 'GET') return toListed(...stored);
    const id = call.path.split('/').at(-1);
    stored = stored.map((one) => (one.id === id ? { ...one, ...call.body } : one));
    return stored.find((one) => one.id === id) ?? createDraft('new');
  });
  startSession(crypto.randomUUID());
  $drafts.listen(() => {});
  $drafts.revalidate();
  await vi.waitFor(() => expect(calls.length).toBeGreaterThan(0));
  await waitForLoaded($drafts);
  calls.length = 0;
});

const draftIds = () => $drafts.get().data?.map(({ id }) => id);
const changes = () => calls.filter(({ method }) => method === 'PATCH');
const rows = () => [
  { id: 'rose', changes: { name: 'Red rose', editions: 1 } },
  { id: 'dagger', changes: {} },
];

test('all drafts are published, each with what was typed, and progress is reported', async () => {
  const progress: (string | null)[] = [];
  const stop = $draftProgress.listen((now) => progress.push(now && `${now.done}/${now.total}`));
  await saveDrafts(rows(), true);
  stop();
  expect(changes().map(({ path, body }) => [path, body])).toEqual([
    ['designs/rose', { name: 'Red rose', editions: 1, status: 'available' }],
    ['designs/dagger', { status: 'available' }],
  ]);
  expect(progress).toEqual(['0/2', '1/2', null]);
  await vi.waitFor(() => expect(draftIds()).toEqual([]));
  expect(toastTexts()).toEqual(['2 designs published. Clients see them on your page.']);
});

test('saving leaves drafts unpublished', async () => {
  await saveDrafts(rows(), false);
  expect(changes()[0]?.body).toEqual({ name: 'Red rose', editions: 1 });
  expect(toastTexts()).toEqual(['Saved. Only you see your drafts.']);
});

test('after an error, those before it are published and the rest stay drafts', async () => {
  refuse = ({ method, path }) =>
    method === 'PATCH' && path.endsWith('dagger') ? problemResponse(503, 'Down') : undefined;
  await expect(saveDrafts(rows(), true)).rejects.toMatchObject({ status: 503 });
  expect($draftProgress.get()).toBeNull();
  await vi.waitFor(() => expect(draftIds()).toEqual(['dagger']));
  expect(toastTexts()).toEqual([]);
});

test('several pictures at once become drafts, and a single one is available at once', async () => {
  const statuses: (string | undefined)[] = [];
  refuse = ({ method, body }) => {
    if (method === 'POST')
      statuses.push(/name="status"\r\n\r\n(\w+)/.exec(String(body['text']))?.[1]);
    return undefined;
  };
  const file = (name: string) => new File(['bytes'], name, { type: 'image/png' });
  designUploads.add([file('rose.png'), file('dagger.png')]);
  await vi.waitFor(() => expect(toastTexts()[0]).toContain('Clients do not see drafts'));
  designUploads.add([file('swallow.png')]);
  await vi.waitFor(() => expect(toastTexts()).toHaveLength(2));
  expect(statuses).toEqual(['draft', 'draft', 'available']);
});
