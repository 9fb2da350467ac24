import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { CurrentArtist } from '#contract/artist.ts';
import type { Service } from '#contract/service.ts';
import ServicesIsland from '#islands/studio/services/ServicesIsland.tsx';
import { $token, startSession } from '#stores/session.ts';
import { sendDeletionsNow } from '#stores/studio/deferred_deletion.ts';
import { $dialog } from '#stores/studio/dialog.ts';
import { FLASH, problemResponse } from '#support/fake_api.ts';
import { fakeListApi, resetListPage } from '#support/fake_list_api.ts';
import { toastTexts } from '#support/fake_schedule_api.ts';

const NAMES = ['Small flash', 'Full day', 'Touch-up'];

let leftFor: ReturnType<typeof vi.spyOn>;

beforeEach(() => {
  leftFor = vi.spyOn(window.location, 'replace').mockImplementation(() => {});
});

afterEach(resetListPage);

function serviceOf(name: string): Service {
  return { ...FLASH, id: name.toLowerCase().replace(' ', '-'), name, duration: 90 };
}

/** The page of an artist with these services. */
async function open(services = NAMES.map(serviceOf), self: Partial<CurrentArtist> = {}) {
  const made = ({ body }: { body: object }) => ({ ...serviceOf('new'), ...body, id: 'new' });
  const api = await fakeListApi<Service>(services, made, self);
  render(<ServicesIsland productName="Linework" />);
  if (services.length > 0) await screen.findByRole('list', { name: 'Services' });
  return { ...api, storedNames: () => api.stored().map(({ name }) => name) };
}

const shown = () =>
  within(screen.getByRole('list', { name: 'Services' }))
    .getAllByRole('heading', { level: 2 })
    .map(({ textContent }) => textContent);

const button = (name: string) => screen.getByRole('button', { name });
const press = (name: string) => userEvent.click(button(name));
const dialog = () => screen.queryByRole('dialog');
const nameField = () => screen.getByLabelText<HTMLInputElement>('Name');
const minutesField = () => screen.getByLabelText<HTMLInputElement>('Length in minutes');
const closeMessage = () => press('Close: Deleted.');

async function chooseFor(what: string, action: string): Promise<void> {
  await press(`More for ${what}`);
  await press(action);
}

/** In the dialog: the button above the list has the same name. */
async function addIt(): Promise<void> {
  const opened = await screen.findByRole('dialog');
  await userEvent.click(within(opened).getByRole('button', { name: 'Add service' }));
}

test('an artist whose clients send requests reads why no service is booked', async () => {
  await open(undefined, { scheduling_type: 'managed' });
  screen.getByText(/Clients send you requests and you set the times/);
  const way = screen.getByRole('link', { name: 'How clients book' });
  expect(way.getAttribute('href')).toBe('/studio/profile#booking');
});

test('what is wrong with a service stands beside its field, and nothing is sent', async () => {
  const api = await open();
  await press('Add service');
  await userEvent.clear(minutesField());
  await userEvent.type(minutesField(), '3');
  await addIt();
  await screen.findByText('Name is required');
  screen.getByText('Must be 5 to 1440 whole minutes');
  await userEvent.clear(minutesField());
  await userEvent.tab();
  screen.getByText('Must be 5 to 1440 whole minutes');
  expect(api.changes()).toEqual([]);
});

test('a refused change keeps the dialog and what was typed, and is saved by another try', async () => {
  const api = await open();
  api.answerOnce('PATCH', /^services/, 'lost');
  await press('Edit Full day');
  await userEvent.type(nameField(), ', in color');
  await press('Save');
  expect((await screen.findByText(/still here/)).closest('[role=alert]')).not.toBeNull();
  expect(nameField().value).toBe('Full day, in color');
  await press('Save');
  await waitFor(() => expect(dialog()).toBeNull());
  expect(shown()).toEqual(['Small flash', 'Full day, in color', 'Touch-up']);
  expect(api.storedNames()).toEqual(['Small flash', 'Full day, in color', 'Touch-up']);
});

test('a dialog asks before it drops what was typed', async () => {
  await open();
  await press('Add service');
  await userEvent.type(nameField(), 'Cover-up');
  // As browsers tell a dialog of Escape.
  fireEvent(screen.getByRole('dialog'), new Event('cancel', { cancelable: true }));
  screen.getByText('Discard your changes?');
  await press('Keep editing');
  expect(nameField().value).toBe('Cover-up');
  await press('Cancel');
  await press('Discard');
  expect(dialog()).toBeNull();
});

test('a dialog in which nothing was typed closes at once', async () => {
  await open();
  await press('Add service');
  await press('Cancel');
  expect(dialog()).toBeNull();
});

test('a service is hidden from clients and shown again, and its row says which', async () => {
  const api = await open();
  const available = () => api.stored().map(({ is_available }) => is_available);
  await chooseFor('Full day', 'Hide from clients');
  screen.getByText('Clients do not see it.');
  await waitFor(() => expect(available()).toEqual([true, false, true]));
  await chooseFor('Full day', 'Show to clients');
  expect(screen.queryByText('Clients do not see it.')).toBeNull();
  await waitFor(() => expect(available()).toEqual([true, true, true]));
});

test('the menu moves a service several times in a row, says where it is and keeps the focus', async () => {
  const api = await open();
  await chooseFor('Small flash', 'Move down');
  await chooseFor('Small flash', 'Move down');
  await chooseFor('Full day', 'Move to the end');
  expect(document.activeElement).toBe(button('More for Full day'));
  screen.getByText('Full day is now number 3 of 3.');
  expect(shown()).toEqual(['Touch-up', 'Small flash', 'Full day']);
  await waitFor(() => expect(api.storedNames()).toEqual(['Touch-up', 'Small flash', 'Full day']));
});

test('an order that cannot be saved is told and taken back', async () => {
  const api = await open();
  api.answerOnce('PATCH', /^services/, 'lost');
  await chooseFor('Touch-up', 'Move to the start');
  await waitFor(() => expect(toastTexts()[0]).toContain('The order was not saved.'));
  await waitFor(() => expect(shown()).toEqual(NAMES));
});

test('a deleted service leaves the focus on the list, and comes back to its place with Undo', async () => {
  const api = await open();
  await chooseFor('Full day', 'Delete');
  expect(shown()).toEqual(['Small flash', 'Touch-up']);
  expect(document.activeElement).toBe(screen.getByRole('list', { name: 'Services' }));
  await press('Undo');
  expect(shown()).toEqual(NAMES);
  await sendDeletionsNow();
  expect(api.changes()).toEqual([]);
});

test('without Undo a deleted service is gone once its message is closed', async () => {
  const api = await open();
  await chooseFor('Full day', 'Delete');
  expect(api.storedNames()).toEqual(NAMES);
  await closeMessage();
  await waitFor(() => expect(api.storedNames()).toEqual(['Small flash', 'Touch-up']));
  expect(shown()).toEqual(['Small flash', 'Touch-up']);
});

test('a service that cannot be deleted comes back, and the artist is told', async () => {
  const api = await open();
  api.answerOnce('DELETE', /^services/, 'lost');
  await chooseFor('Full day', 'Delete');
  await closeMessage();
  await waitFor(() => expect(toastTexts()[0]).toContain('“Full day” was not deleted.'));
  await waitFor(() => expect(shown()).toEqual(NAMES));
});

test('logging out deletes what was about to be deleted, while the token is still held', async () => {
  const api = await open();
  await chooseFor('Touch-up', 'Delete');
  const [logOut = document.body] = screen.getAllByRole('button', { name: 'Log out' });
  await userEvent.click(logOut);
  await waitFor(() => expect($token.get()).toBeUndefined());
  expect(api.storedNames()).toEqual(['Small flash', 'Full day']);
  expect(api.changes()).toMatchObject([{ method: 'DELETE', token: expect.stringMatching(/./) }]);
  expect(leftFor).toHaveBeenCalledWith('/login');
});

test('a service that was being typed when the login expired is there after the next one', async () => {
  const api = await open();
  api.answerOnce('POST', /^services/, problemResponse(401, 'Please log in'));
  await press('Add service');
  await userEvent.type(nameField(), 'Cover-up');
  await press('3 h');
  await addIt();
  await waitFor(() =>
    expect(leftFor).toHaveBeenCalledWith(expect.stringMatching(/^\/login\?next=/)),
  );
  cleanup();
  $dialog.set(null);

  startSession('again');
  render(<ServicesIsland productName="Linework" />);
  await screen.findByRole('dialog');
  await waitFor(() => expect(nameField().value).toBe('Cover-up'));
  expect(minutesField().value).toBe('180');
  await addIt();
  await waitFor(() => expect(api.storedNames()).toEqual([...NAMES, 'Cover-up']));
});

test('services that cannot be loaded say why, and are read by another try', async () => {
  const api = await fakeListApi<Service>([serviceOf('Small flash')], () => FLASH);
  api.answerOnce('GET', /^services/, problemResponse(503, 'Too busy'));
  render(<ServicesIsland productName="Linework" />);
  await screen.findByText('The services could not be loaded. Too busy');
  await press('Try again');
  await screen.findByRole('list', { name: 'Services' });
  expect(shown()).toEqual(['Small flash']);
});
