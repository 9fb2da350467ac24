import { cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, it, vi } from 'vitest';
import type { Service } from '#contract/service.ts';
import RequestIsland from '#islands/booking/RequestIsland.tsx';
import {
  ANA,
  APPOINTMENT_ID,
  fakeBookingApi,
  refusalResponse,
  SESSION,
} from '#support/fake_api.ts';

const DESIGN_ID = '6c1f3f6e-6f0a-4f5e-9d4e-3a1f5d1f0d01';
const BO = { ...ANA, username: 'bo', scheduling_type: 'managed' as const };

let api: ReturnType<typeof fakeBookingApi>;
let navigate: ReturnType<typeof vi.spyOn>;

beforeEach(() => {
  api = fakeBookingApi();
  navigate = vi.spyOn(window.location, 'assign').mockImplementation(() => {});
});

const FREE = { kind: 'fixed', amount: 0, amount_to: null, currency: 'USD' } as const;

function openPage(designId: string | null = DESIGN_ID, service: Service | null = null) {
  const deposit = { amount: 5000, currency: 'USD' };
  render(<RequestIsland artist={BO} {...{ designId, service, deposit }} />);
  return userEvent.setup();
}

const saveButton = () => screen.getByRole('button', { name: 'Save' });

it('a request is sent with its design and without a time', async () => {
  const user = openPage();
  await user.type(screen.getByLabelText(/^Email/), 'rosa@example.com');
  await user.click(saveButton());
  await waitFor(() => expect(navigate).toHaveBeenCalledWith(`/bo/confirmation/${APPOINTMENT_ID}/`));
  const [request] = api.requests();
  expect(request?.path).toBe('appointments/request/design');
  expect(request?.body).toMatchObject({ design_id: DESIGN_ID, email: 'rosa@example.com' });
  expect(request?.body).not.toHaveProperty('start');
});

it('the service that was chosen is shown, without a deposit if it is free, and sent', async () => {
  const user = openPage(null, { ...SESSION, price: FREE });
  screen.getByRole('heading', { name: SESSION.name });
  expect(screen.queryByText(/deposit/i)).toBeNull();
  const change = screen.getByRole('link', { name: 'Change appointment' });
  expect(change.getAttribute('href')).toBe('/bo/services');
  await user.type(screen.getByLabelText(/^Email/), 'rosa@example.com');
  await user.click(saveButton());
  await waitFor(() =>
    expect(api.requests()[0]?.body).toMatchObject({ service_id: SESSION.id, customer_notes: null }),
  );
});

it('Cancel returns to the artist’s page, and the draft waits for the client to come back', async () => {
  const user = openPage();
  await user.type(screen.getByLabelText('First name'), 'Rosa');
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(navigate).toHaveBeenCalledWith('/bo/');
  cleanup();
  openPage();
  expect(screen.getByLabelText<HTMLInputElement>('First name').value).toBe('Rosa');
  expect(saveButton().hasAttribute('disabled')).toBe(false);
});

it('without its design, which is gone, the request can be sent with all that was typed', async () => {
  window.history.replaceState(null, '', `/bo/scheduling?design=${DESIGN_ID}`);
  const aside = document.createElement('p');
  aside.id = 'design-gone';
  aside.hidden = true;
  document.body.append(aside);
  const user = openPage();
  api.answerNext(refusalResponse('design_not_available'));
  await user.type(screen.getByLabelText(/^Email/), 'rosa@example.com');
  await user.click(saveButton());
  await user.click(await screen.findByRole('button', { name: 'Go on without the design' }));
  expect(aside.hidden).toBe(false);
  aside.remove();
  expect(document.activeElement).toBe(saveButton());
  expect(window.location.search).toBe('');
  await user.click(saveButton());
  await waitFor(() => expect(navigate).toHaveBeenCalled());
  expect(api.requests().map(({ body }) => [body['design_id'], body['email']])).toEqual([
    [DESIGN_ID, 'rosa@example.com'],
    [null, 'rosa@example.com'],
  ]);
});
