import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { CurrentArtist } from '#contract/artist.ts';
import type { Service } from '#contract/service.ts';
import ServicesIsland from '#islands/studio/services/ServicesIsland.tsx';
import { $token, startSession } from '#stores/session.ts';
import { sendDeletionsNow } from '#stores/studio/deferred_deletion.ts';
import { $dialog } from '#stores/studio/dialog.ts';
import { services } from '#stores/studio/services.ts';
import { FLASH, problemResponse } from '#support/fake_api.ts';
import { chooseAction, fakeListApi, resetListPage } from '#support/fake_list_api.ts';
import { toListed } from '#support/fake_schedule_api.ts';

const NAMES = ['Small flash', 'Full day', 'Touch-up'];

let navigate: ReturnType<typeof vi.spyOn>;

beforeEach(() => {
  navigate = vi.spyOn(window.location, 'replace').mockImplementation(() => {});
});

afterEach(resetListPage);

function createService(name: string): Service {
  return { ...FLASH, id: name.toLowerCase().replace(' ', '-'), name, duration: 90 };
}

/** Opens the page of an artist with these services. */
async function openPage(services = NAMES.map(createService), self: Partial<CurrentArtist> = {}) {
  const createFromBody = ({ body }: { body: object }) => ({
    ...createService('new'),
    ...body,
    id: 'new',
  });
  const api = await fakeListApi<Service>(services, createFromBody, self);
  render(<ServicesIsland productName="Linework" />);
  if (services.length > 0) await screen.findByRole('list', { name: 'Services' });
  return { ...api, storedNames: () => api.stored().map(({ name }) => name) };
}

/** Opens the page again, as after a login that had expired. */
function logInAndReopen(): void {
  cleanup();
  $dialog.set(null);
  startSession('again');
  render(<ServicesIsland productName="Linework" />);
}

const listedNames = () =>
  within(screen.getByRole('list', { name: 'Services' }))
    .getAllByRole('heading', { level: 2 })
    .map(({ textContent }) => textContent);

const button = (name: string) => screen.getByRole('button', { name });
const press = (name: string) => userEvent.click(button(name));
const dialog = () => screen.queryByRole('dialog');
const nameField = () => screen.getByLabelText<HTMLInputElement>('Name');
const minutesField = () => screen.getByLabelText<HTMLInputElement>('Length in minutes');

/** Presses the button in the dialog; the one above the list has the same name. */
async function submitNewService(): Promise<void> {
  const openDialog = await screen.findByRole('dialog');
  await userEvent.click(within(openDialog).getByRole('button', { name: 'Add service' }));
}

test('an artist with managed scheduling sees why clients cannot book services', async () => {
  await openPage(undefined, { scheduling_type: 'managed' });
  screen.getByText(/Clients send you requests and you set the times/);
  const link = screen.getByRole('link', { name: 'How clients book' });
  expect(link.getAttribute('href')).toBe('/studio/profile#booking');
});

test('an invalid service shows errors at its fields, and nothing is sent', async () => {
  const api = await openPage();
  await press('Add service');
  await userEvent.clear(minutesField());
  await userEvent.type(minutesField(), '3');
  await submitNewService();
  await screen.findByText('Name is required');
  screen.getByText('Must be 5 to 1440 whole minutes');
  await userEvent.clear(minutesField());
  await userEvent.tab();
  screen.getByText('Must be 5 to 1440 whole minutes');
  expect(api.changes()).toEqual([]);
});

test('a failed save leaves the dialog open with its values, takes no input meanwhile, and can be repeated', async () => {
  const api = await openPage();
  const saving = Promise.withResolvers<Response>();
  api.intercept(({ method }) => (method === 'PATCH' ? saving.promise : undefined));
  await press('Edit Full day');
  await userEvent.type(nameField(), ', in color');
  await press('Save');
  expect(nameField().closest('[inert]')).not.toBeNull();
  saving.resolve(problemResponse(503, 'Too busy'));
  const message = await screen.findByText(/Too busy.*still here/);
  expect(message.closest('[role=alert]')).not.toBeNull();
  expect(nameField().closest('[inert]')).toBeNull();
  expect(nameField().value).toBe('Full day, in color');
  api.intercept(() => undefined);
  await press('Save');
  await waitFor(() => expect(dialog()).toBeNull());
  expect(listedNames()).toEqual(['Small flash', 'Full day, in color', 'Touch-up']);
  // What another tab has changed meanwhile stays.
  expect(api.changes().map(({ body }) => body)).toEqual(
    Array(2).fill({ name: 'Full day, in color' }),
  );
});

test('a dialog asks before it closes only with unsaved changes', async () => {
  await openPage();
  await press('Add service');
  await userEvent.type(nameField(), 'Cover-up');
  // Browsers send this event when Escape is pressed.
  fireEvent(screen.getByRole('dialog'), new Event('cancel', { cancelable: true }));
  screen.getByText('Discard your changes?');
  await press('Keep editing');
  expect(nameField().value).toBe('Cover-up');
  await press('Cancel');
  await press('Discard');
  expect(dialog()).toBeNull();
  await press('Add service');
  await press('Cancel');
  expect(dialog()).toBeNull();
});

test('a service can be hidden from clients and shown again, and a hidden one is labelled', async () => {
  const api = await openPage();
  const available = () => api.stored().map(({ is_available }) => is_available);
  await chooseAction('Full day', 'Hide from clients');
  screen.getByText('Clients do not see it.');
  await waitFor(() => expect(available()).toEqual([true, false, true]));
  await chooseAction('Full day', 'Show to clients');
  expect(screen.queryByText('Clients do not see it.')).toBeNull();
  await waitFor(() => expect(available()).toEqual([true, true, true]));
});

test('the menu moves services, announces the new position, and focus returns to its button', async () => {
  const api = await openPage();
  await chooseAction('Small flash', 'Move down');
  await chooseAction('Small flash', 'Move down');
  await chooseAction('Full day', 'Move to the end');
  expect(document.activeElement).toBe(button('More for Full day'));
  screen.getByText('Full day is now number 3 of 3.');
  expect(listedNames()).toEqual(['Touch-up', 'Small flash', 'Full day']);
  await waitFor(() => expect(api.storedNames()).toEqual(['Touch-up', 'Small flash', 'Full day']));
});

test('deleting a service focuses the list, and Undo restores it to its position', async () => {
  const api = await openPage();
  await chooseAction('Full day', 'Delete');
  expect(listedNames()).toEqual(['Small flash', 'Touch-up']);
  expect(document.activeElement).toBe(screen.getByRole('list', { name: 'Services' }));
  await press('Undo');
  expect(listedNames()).toEqual(NAMES);
  await sendDeletionsNow();
  expect(api.changes()).toEqual([]);
});

test('logging out sends pending deletions before the token is removed', async () => {
  const api = await openPage();
  await chooseAction('Touch-up', 'Delete');
  const [logOut = document.body] = screen.getAllByRole('button', { name: 'Log out' });
  await userEvent.click(logOut);
  await waitFor(() => expect($token.get()).toBeUndefined());
  expect(api.storedNames()).toEqual(['Small flash', 'Full day']);
  expect(api.changes()).toMatchObject([
    { method: 'DELETE', path: expect.stringMatching(/^services/), token: expect.any(String) },
    { method: 'DELETE', path: 'users/me/session' },
  ]);
  expect(navigate).toHaveBeenCalledWith('/login');
});

test('the form of a new service is restored after the login expired', async () => {
  const api = await openPage();
  api.answerOnce('POST', /^services/, problemResponse(401, 'Please log in'));
  await press('Add service');
  await userEvent.type(nameField(), 'Cover-up');
  await press('3 h');
  await submitNewService();
  await waitFor(() =>
    expect(navigate).toHaveBeenCalledWith(expect.stringMatching(/^\/login\?next=/)),
  );
  logInAndReopen();
  await screen.findByRole('dialog');
  await waitFor(() => expect(nameField().value).toBe('Cover-up'));
  expect(minutesField().value).toBe('180');
  await submitNewService();
  await waitFor(() => expect(api.storedNames()).toEqual([...NAMES, 'Cover-up']));
});

test('a dialog whose service was deleted in another tab stays open with its input', async () => {
  const api = await openPage();
  await press('Edit Full day');
  await userEvent.type(nameField(), ', in color');
  api.answerOnce('GET', /^services/, Response.json({ data: [], count: 0 }));
  await act(async () => services.reload());
  await waitFor(() => expect(screen.queryByRole('list', { name: 'Services' })).toBeNull());
  expect(nameField().value).toBe('Full day, in color');
});

test('unsaved changes of one service never appear in the form of another one', async () => {
  const api = await openPage();
  api.answerOnce('PATCH', /^services/, problemResponse(401, 'Please log in'));
  await press('Edit Full day');
  await userEvent.type(nameField(), ', in color');
  await press('Save');
  await waitFor(() => expect(navigate).toHaveBeenCalled());
  api.answerOnce('GET', /^services/, Response.json(toListed(createService('Touch-up'))));
  logInAndReopen();
  await userEvent.click(await screen.findByRole('button', { name: 'Edit Touch-up' }));
  expect(nameField().value).toBe('Touch-up');
});

test('a price is sent in minor units and keeps its currency when another amount is typed', async () => {
  const price = { kind: 'fixed', amount: 9000, amount_to: null, currency: 'EUR' } as const;
  const api = await openPage([{ ...createService('Full day'), price }]);
  await press('Edit Full day');
  // Happy DOM shows the first option of a select whose value is set before its options.
  await userEvent.selectOptions(screen.getByLabelText('Price'), 'A fixed price');
  await userEvent.clear(screen.getByLabelText('Amount'));
  await userEvent.type(screen.getByLabelText('Amount'), '95');
  await press('Save');
  await screen.findByText('€95');
  expect(api.changes()).toMatchObject([{ body: { price: { amount: 9500, currency: 'EUR' } } }]);
});
