import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Design } from '#contract/design.ts';
import DesignsIsland from '#islands/studio/designs/DesignsIsland.tsx';
import { designUploads } from '#stores/studio/designs.ts';
import { type ApiCall, problemResponse } from '#support/fake_api.ts';
import { fakeListApi, resetListPage } from '#support/fake_list_api.ts';
import { createImage, toastTexts } from '#support/fake_schedule_api.ts';

const NAMES = ['Swallow', 'Dagger', 'Anchor'];

beforeEach(() => {
  vi.spyOn(window.location, 'replace').mockImplementation(() => {});
});

afterEach(async () => {
  for (const { id } of designUploads.$uploads.get()) designUploads.remove(id);
  await resetListPage();
});

function designOf(name: string): Design {
  const id = name.toLowerCase().replaceAll(' ', '-');
  return { id, name, description: '', status: 'available', image: createImage(id) };
}

/** The page of an artist with designs of these names. */
async function open(designs: readonly string[] = NAMES) {
  const api = await fakeListApi<Design>(designs.map(designOf), (call) => designOf(nameIn(call)));
  render(<DesignsIsland productName="Linework" />);
  if (designs.length > 0) await screen.findByRole('list', { name: 'designs' });
  else await screen.findByText('No designs yet');
  const available = () => api.stored().filter(({ status }) => status === 'available');
  return {
    ...api,
    /** What clients see, in its order. */
    offered: () => available().map(({ name }) => name),
  };
}

/** The name that an upload gives its design. */
function nameIn({ body }: ApiCall): string {
  return /name="name"\r\n\r\n([^\r]*)/.exec(String(body['text']))?.[1] ?? '';
}

const shown = () =>
  within(screen.getByRole('list', { name: 'designs' }))
    .getAllByRole('heading', { level: 2 })
    .map(({ textContent }) => textContent);

const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));
const uploads = () => screen.queryByRole('region', { name: 'Uploads' });

async function chooseFor(what: string, action: string): Promise<void> {
  await press(`More for ${what}`);
  await press(action);
}

function photo(name: string): File {
  return new File(['bytes'], name, { type: 'image/jpeg' });
}

/** Chooses files as with a picker that offers all there are. */
async function choose(files: readonly File[]): Promise<void> {
  const picker = document.querySelector<HTMLInputElement>('input[type=file]');
  if (!picker) throw new Error('No file can be chosen');
  await userEvent.setup({ applyAccept: false }).upload(picker, [...files]);
}

/** The line of a file among the uploads. */
function row(file: string) {
  const line = screen.getByText(file).closest('li');
  if (!line) throw new Error(`${file} is not on its way`);
  return within(line);
}

test('several files are added in the order they were chosen, each with its progress, and one is refused in words', async () => {
  const api = await open([]);
  const held = Promise.withResolvers<void>();
  api.intercept(async (call) => {
    if (call.method !== 'POST') return undefined;
    await held.promise;
    if (nameIn(call) === 'Notes')
      return problemResponse(415, 'Only JPEG, PNG, WebP and AVIF pictures can be used');
    return undefined;
  });
  await choose(['one.jpg', 'notes.jpg', 'IMG_2041.jpg'].map(photo));
  await waitFor(() => row('one.jpg').getByRole('progressbar'));
  row('IMG_2041.jpg').getByText('Waiting…');
  held.resolve();

  await waitFor(() => expect(toastTexts()[0]).toContain('2 designs added.'));
  expect(shown()).toEqual(['One', 'New design']);
  row('notes.jpg').getByText('Only JPEG, PNG, WebP and AVIF pictures can be used');
  expect(screen.queryByRole('button', { name: 'Retry notes.jpg' })).toBeNull();
  await press('Remove notes.jpg');
  expect(uploads()).toBeNull();
});

test('each file that cannot be taken says why beside its name, and none is sent', async () => {
  const api = await open([]);
  await choose([
    new File([new Uint8Array(15 * 1024 * 1024 + 1)], 'heavy.jpg', { type: 'image/jpeg' }),
    new File([], 'blank.png', { type: 'image/png' }),
    new File(['<svg/>'], 'line.svg', { type: 'image/svg+xml' }),
  ]);
  row('heavy.jpg').getByText('A picture may have at most 15 MB');
  row('blank.png').getByText('This file is empty');
  row('line.svg').getByText('Only JPEG, PNG, WebP and AVIF pictures can be used');
  expect(api.changes()).toEqual([]);
});

test('a file whose connection was lost waits for another try', async () => {
  const api = await open([]);
  api.answerOnce('POST', /^designs/, 'lost');
  await choose([photo('dagger.jpg')]);
  await waitFor(() => row('dagger.jpg').getByText(/The connection was lost\./));
  await press('Retry dagger.jpg');
  await waitFor(() => expect(shown()).toEqual(['Dagger']));
});

test('an upload is called off', async () => {
  await open([]);
  const abort = vi.fn();
  vi.stubGlobal('XMLHttpRequest', unansweredUploads(abort));
  await choose([photo('anchor.jpg')]);
  await waitFor(() => row('anchor.jpg').getByText('50%'));
  await press('Cancel anchor.jpg');
  expect(uploads()).toBeNull();
  screen.getByText('No designs yet');
  expect(abort).toHaveBeenCalledOnce();
});

/** An XMLHttpRequest that sends half of its body, and no more. */
function unansweredUploads(onAbort: () => void) {
  return class {
    readonly upload = { onprogress: (_: { loaded: number; total: number }) => {} };
    readonly abort = onAbort;

    open(): void {}

    setRequestHeader(): void {}

    send(): void {
      this.upload.onprogress({ loaded: 1, total: 2 });
    }
  };
}

test('a claimed and a hidden design say so, and clients see neither', async () => {
  const api = await open();
  await chooseFor('Swallow', 'Mark as claimed');
  screen.getByText('Claimed');
  await waitFor(() => expect(api.offered()).toEqual(['Dagger', 'Anchor']));
  await press('Edit Dagger');
  await userEvent.click(screen.getByLabelText(/Only you see it\./));
  await press('Save');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  screen.getByText('Hidden');
  expect(api.offered()).toEqual(['Anchor']);
  await chooseFor('Dagger', 'Make available');
  await waitFor(() => expect(api.offered()).toEqual(['Dagger', 'Anchor']));
  expect(shown()).toEqual(NAMES);
});

test('a deleted design comes back to its place with Undo, and is deleted once the page is left', async () => {
  const api = await open();
  await chooseFor('Dagger', 'Delete');
  await press('Undo');
  expect(shown()).toEqual(NAMES);
  await chooseFor('Anchor', 'Delete');
  expect(shown()).toEqual(['Swallow', 'Dagger']);
  expect(api.changes()).toEqual([]);
  dispatchEvent(new Event('pagehide'));
  await waitFor(() => expect(api.offered()).toEqual(['Swallow', 'Dagger']));
});

test('a change of status that fails is told and taken back', async () => {
  const api = await open();
  api.answerOnce('PATCH', /^designs/, 'lost');
  await chooseFor('Dagger', 'Hide from clients');
  await waitFor(() => expect(toastTexts()[0]).toContain('“Dagger” was not changed.'));
  await waitFor(() => expect(screen.queryByText('Hidden')).toBeNull());
});
