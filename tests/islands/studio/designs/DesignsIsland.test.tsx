import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Design } from '#contract/design.ts';
import DesignsIsland from '#islands/studio/designs/DesignsIsland.tsx';
import { designUploads } from '#stores/studio/designs.ts';
import { NO_DESIGN_FACTS } from '#support/design_facts.ts';
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

function createDesign(name: string): Design {
  const id = name.toLowerCase().replaceAll(' ', '-');
  return {
    ...{ id, name, description: '', status: 'available', image: createImage(id) },
    ...NO_DESIGN_FACTS,
  };
}

/** Opens the page of an artist with designs of these names. */
async function openPage(designs: readonly string[] = NAMES) {
  const api = await fakeListApi<Design>(designs.map(createDesign), (call) =>
    createDesign(uploadedName(call)),
  );
  render(<DesignsIsland productName="Linework" />);
  if (designs.length > 0) await screen.findByRole('list', { name: 'designs' });
  else await screen.findByText('No designs yet');
  const available = () => api.stored().filter(({ status }) => status === 'available');
  return {
    ...api,
    /** Names of the designs that clients see, in their order. */
    offeredNames: () => available().map(({ name }) => name),
  };
}

/** The name that an upload gives its design. */
function uploadedName({ body }: ApiCall): string {
  return /name="name"\r\n\r\n([^\r]*)/.exec(String(body['text']))?.[1] ?? '';
}

const listedNames = () =>
  within(screen.getByRole('list', { name: 'designs' }))
    .getAllByRole('heading', { level: 2 })
    .map(({ textContent }) => textContent);

const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));
const uploads = () => screen.queryByRole('region', { name: 'Uploads' });

async function chooseAction(name: string, action: string): Promise<void> {
  await press(`More for ${name}`);
  await press(action);
}

function photo(name: string): File {
  return new File(['bytes'], name, { type: 'image/jpeg' });
}

/** Chooses files of any type, as a file picker may allow. */
async function chooseFiles(files: readonly File[]): Promise<void> {
  const picker = document.querySelector<HTMLInputElement>('input[type=file]');
  if (!picker) throw new Error('No file input');
  await userEvent.setup({ applyAccept: false }).upload(picker, [...files]);
}

/** The row of a file in the list of uploads. */
function row(file: string) {
  const item = screen.getByText(file).closest('li');
  if (!item) throw new Error(`${file} is not being uploaded`);
  return within(item);
}

test('several files are uploaded in order with progress, and a refused one shows its error', async () => {
  const api = await openPage([]);
  const released = Promise.withResolvers<void>();
  api.intercept(async (call) => {
    if (call.method !== 'POST') return undefined;
    await released.promise;
    if (uploadedName(call) === 'Notes')
      return problemResponse(415, 'Only JPEG, PNG, WebP and AVIF pictures can be used');
    return undefined;
  });
  await chooseFiles(['one.jpg', 'notes.jpg', 'IMG_2041.jpg'].map(photo));
  await waitFor(() => row('one.jpg').getByRole('progressbar'));
  row('IMG_2041.jpg').getByText('Waiting…');
  released.resolve();

  await waitFor(() => expect(toastTexts()[0]).toContain('2 designs added.'));
  expect(listedNames()).toEqual(['One', 'New design']);
  row('notes.jpg').getByText('Only JPEG, PNG, WebP and AVIF pictures can be used');
  expect(screen.queryByRole('button', { name: 'Retry notes.jpg' })).toBeNull();
  await press('Remove notes.jpg');
  expect(uploads()).toBeNull();
});

test('an upload with a lost connection can be retried', async () => {
  const api = await openPage([]);
  api.answerOnce('POST', /^designs/, 'lost');
  await chooseFiles([photo('dagger.jpg')]);
  await waitFor(() => row('dagger.jpg').getByText(/The connection was lost\./));
  await press('Retry dagger.jpg');
  await waitFor(() => expect(listedNames()).toEqual(['Dagger']));
});

test('a running upload can be cancelled', async () => {
  await openPage([]);
  const abort = vi.fn();
  vi.stubGlobal('XMLHttpRequest', unansweredUploads(abort));
  await chooseFiles([photo('anchor.jpg')]);
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

test('claimed and hidden designs are labelled, and clients see neither', async () => {
  const api = await openPage();
  await chooseAction('Swallow', 'Mark as claimed');
  screen.getByText('Claimed');
  await waitFor(() => expect(api.offeredNames()).toEqual(['Dagger', 'Anchor']));
  await press('Edit Dagger');
  await userEvent.click(screen.getByLabelText(/Only you see it\./));
  await press('Save');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  screen.getByText('Hidden');
  expect(api.offeredNames()).toEqual(['Anchor']);
  await chooseAction('Dagger', 'Make available');
  await waitFor(() => expect(api.offeredNames()).toEqual(['Dagger', 'Anchor']));
  expect(listedNames()).toEqual(NAMES);
});

test('a card shows the price, and how many editions are left', async () => {
  const price = { kind: 'fixed', amount: 12_000, amount_to: null, currency: 'USD' } as const;
  const facts = { price, width_mm: 60, height_mm: 80, editions: 3, left: 1 };
  await fakeListApi<Design>([{ ...createDesign('Swallow'), ...facts }], () => createDesign('new'));
  render(<DesignsIsland productName="Linework" />);
  await screen.findByText('$120');
  screen.getByText('2.4 × 3.1 in');
  screen.getByText('1 of 3 left');
});

test('a design whose editions are all taken is labelled as claimed', async () => {
  const facts = { editions: 1, left: 0 };
  await fakeListApi<Design>([{ ...createDesign('Swallow'), ...facts }], () => createDesign('new'));
  render(<DesignsIsland productName="Linework" />);
  await screen.findByText('Claimed');
});

test('a draft is published from its menu, which offers no draft to published designs', async () => {
  const api = await fakeListApi<Design>([{ ...createDesign('Swallow'), status: 'draft' }], () =>
    createDesign('new'),
  );
  render(<DesignsIsland productName="Linework" />);
  await screen.findByRole('list', { name: 'designs' });
  await chooseAction('Swallow', 'Publish');
  await waitFor(() => expect(api.stored()[0]?.status).toBe('available'));
  await press('More for Swallow');
  expect(screen.queryByRole('button', { name: 'Make it a draft' })).toBeNull();
});
