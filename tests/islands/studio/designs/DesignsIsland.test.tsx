import {
  type BoundFunctions,
  type queries,
  render,
  screen,
  waitFor,
  within,
} from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Design } from '#contract/design.ts';
import DesignsIsland from '#islands/studio/designs/DesignsIsland.tsx';
import { designUploads } from '#stores/studio/designs.ts';
import { NO_DESIGN_FACTS } from '#support/design_facts.ts';
import { type ApiCall, problemResponse } from '#support/fake_api.ts';
import { chooseAction, fakeListApi, resetListPage } from '#support/fake_list_api.ts';
import { createImage, toastTexts } from '#support/fake_schedule_api.ts';
import { press } from '#support/fake_studio_api.ts';

const NAMES = ['Swallow', 'Dagger', 'Anchor'];

beforeEach(() => {
  vi.spyOn(window.location, 'replace').mockImplementation(() => {});
});

afterEach(async () => {
  for (const { id } of designUploads.$uploads.get()) designUploads.remove(id);
  await resetListPage();
});

function createDesign(name: string, status: Design['status'] = 'available'): Design {
  const id = name.toLowerCase().replaceAll(' ', '-');
  return { ...{ id, name, description: '', status }, image: createImage(id), ...NO_DESIGN_FACTS };
}

/** Opens the page of an artist with designs of these names. */
async function openPage(designs: readonly string[] = NAMES) {
  const api = await fakeListApi<Design>(
    designs.map((name) => createDesign(name)),
    (call) => createDesign(uploadedName(call)),
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
const uploadedName = ({ body }: ApiCall) =>
  /name="name"\r\n\r\n([^\r]*)/.exec(String(body['text']))?.[1] ?? '';
const uploadedStatus = ({ body }: ApiCall) =>
  /name="status"\r\n\r\n(\w+)/.exec(String(body['text']))?.[1];

const listedNames = () =>
  within(screen.getByRole('list', { name: 'designs' }))
    .getAllByRole('heading', { level: 2 })
    .map(({ textContent }) => textContent);

const uploads = () => screen.queryByRole('region', { name: 'Uploads' });

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
  // Only a picture that is added alone is published at once.
  expect(api.changes().map(uploadedStatus)).toEqual(['draft', 'draft', 'draft']);
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
  expect(api.changes().map(uploadedStatus)).toEqual(['available', 'available']);
});

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

test('a card shows the price, and how many editions are left: without any it is claimed', async () => {
  const price = { kind: 'fixed', amount: 12_000, amount_to: null, currency: 'USD' } as const;
  const facts = { price, width_mm: 60, height_mm: 80, editions: 3, left: 1 };
  const designs = [
    { ...createDesign('Swallow'), ...facts },
    { ...createDesign('Dagger'), editions: 1, left: 0 },
  ];
  await fakeListApi<Design>(designs, () => createDesign('new'));
  render(<DesignsIsland productName="Linework" />);
  await screen.findByText('$120');
  screen.getByText('2.4 × 3.1 in');
  screen.getByText('1 of 3 left');
  screen.getByText('Claimed');
});

test('a draft is published from its menu, which offers no draft to published designs', async () => {
  const { stored } = await openDrafts([createDesign('Swallow', 'draft')]);
  await chooseAction('Swallow', 'Publish');
  await waitFor(() => expect(stored()[0]?.status).toBe('available'));
  await press('More for Swallow');
  expect(screen.queryByRole('button', { name: 'Make it a draft' })).toBeNull();
});

async function openDrafts(
  designs = [createDesign('Rose', 'draft'), createDesign('Dagger', 'draft'), createDesign('Old')],
) {
  const api = await fakeListApi<Design>(designs, () => createDesign('New'));
  render(<DesignsIsland productName="Linework" />);
  await screen.findByRole('heading', { name: 'Drafts' });
  const field = (name: string, label: string) =>
    within(screen.getByRole('group', { name })).getByLabelText<HTMLInputElement>(label);
  const type = (name: string, label: string, text: string) =>
    userEvent.type(field(name, label), text);
  const typedIn = (name: string, label: string) => field(name, label).value;
  return { ...api, type, typedIn };
}

const publish = () => userEvent.click(screen.getByRole('button', { name: 'Publish all 2' }));

test('a sheet of drafts is filled in and published at one tap', async () => {
  const { type, stored, changes } = await openDrafts();
  await type('Rose', 'Price', '180');
  await type('Rose', 'Width (in)', '2');
  await type('Dagger', 'How often (empty: any)', '1');
  await publish();
  await waitFor(() => expect(screen.queryByRole('heading', { name: 'Drafts' })).toBeNull());
  expect(stored().map(({ status }) => status)).toEqual(['available', 'available', 'available']);
  expect(changes().map(({ body }) => body)).toMatchObject([
    { price: { kind: 'fixed', amount: 18_000, currency: 'USD' }, width_mm: 51 },
    { editions: 1 },
  ]);
});

test('while drafts are published, the button counts them, and the browser asks before leaving', async () => {
  const { intercept } = await openDrafts();
  const answer = Promise.withResolvers<Response>();
  intercept(({ method }) => (method === 'PATCH' ? answer.promise : undefined));
  await publish();
  await screen.findByRole('button', { name: 'Publishing 1 of 2…' });
  expect(dispatchEvent(new Event('beforeunload', { cancelable: true }))).toBe(false);
  answer.resolve(problemResponse(503, 'Down for now'));
  await screen.findByText(/Down for now/);
  expect(dispatchEvent(new Event('beforeunload', { cancelable: true }))).toBe(true);
});

test('a design without a name of its own is saved, stays a draft, and the message says so', async () => {
  const { type, stored } = await openDrafts([
    createDesign('Rose', 'draft'),
    createDesign('New design', 'draft'),
  ]);
  await type('New design', 'Price', '90');
  await publish();
  const publishIt = await screen.findByRole('button', { name: 'Publish it' });
  const text = '1 design without a name stays a draft. Give it a name to publish it.';
  expect(toastTexts()).toEqual([`1 design published. Clients see it on your page. ${text}`]);
  expect(stored().map(({ status }) => status)).toEqual(['available', 'draft']);
  expect(stored()[1]?.price).toMatchObject({ amount: 9000 });
  await userEvent.click(publishIt);
  await waitFor(() => expect(toastTexts()).toEqual([`Nothing was published. ${text}`]));
});

test('a draft that another window published and hid stays hidden, and the message says so', async () => {
  const { stored } = await openDrafts();
  Object.assign(stored()[1] ?? {}, { status: 'hidden' });
  await publish();
  await waitFor(() => expect(toastTexts()[0]).toMatch(/^1 design published\..* 1 .* left out\.$/));
  expect(stored().map(({ status }) => status)).toEqual(['available', 'hidden', 'available']);
});

test('bad input stays, has its message at its field, and nothing is published', async () => {
  const { type, changes } = await openDrafts();
  await type('Dagger', 'Price', 'cheap');
  await publish();
  await screen.findByText(/^Write the amount like/);
  expect(screen.getByDisplayValue('cheap')).toBeTruthy();
  expect(changes()).toEqual([]);
});

test('when the server refuses a draft, those before it are published, and what was typed is still there', async () => {
  const { type, intercept, stored } = await openDrafts();
  intercept(({ method, path }) =>
    method === 'PATCH' && path.endsWith('dagger')
      ? problemResponse(503, 'Down for now')
      : undefined,
  );
  await type('Dagger', 'What one sees', 'A dagger');
  await publish();
  await screen.findByText(/Down for now.*still here/);
  expect(screen.getByDisplayValue('A dagger')).toBeTruthy();
  await screen.findByRole('button', { name: 'Publish it' });
  expect(stored().map(({ status }) => status)).toEqual(['available', 'draft', 'available']);
});

async function changeInDialog(
  name: string,
  change: (dialog: BoundFunctions<typeof queries>) => Promise<void>,
): Promise<void> {
  await userEvent.click(screen.getByRole('button', { name: `More about ${name}` }));
  const dialog = within(await screen.findByRole('dialog'));
  await change(dialog);
  await userEvent.click(dialog.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
}

test('a draft that its dialog changed is published as the dialog saved it', async () => {
  const { stored, typedIn } = await openDrafts();
  await changeInDialog('Rose', (dialog) =>
    userEvent.type(dialog.getByLabelText('Description'), 'Full-blown'),
  );
  await waitFor(() => expect(typedIn('Rose', 'What one sees')).toBe('Full-blown'));
  await publish();
  await waitFor(() => expect(screen.queryByRole('heading', { name: 'Drafts' })).toBeNull());
  expect(stored()[0]).toMatchObject({ description: 'Full-blown', status: 'available' });
});

test('when another draft is published by its dialog, what was typed is still there', async () => {
  const { type, typedIn } = await openDrafts();
  await type('Dagger', 'Price', '90');
  await changeInDialog('Rose', (dialog) =>
    userEvent.click(dialog.getByRole('radio', { name: /^Available/ })),
  );
  await screen.findByRole('button', { name: 'Publish it' });
  expect(typedIn('Dagger', 'Price')).toBe('90');
});
