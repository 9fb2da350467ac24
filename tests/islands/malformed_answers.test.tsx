import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import BookingIsland from '#islands/booking/BookingIsland.tsx';
import { ANA, DECEMBER, FLASH, stubApi } from '#support/fake_api.ts';

const UNREADABLE = /The answer could not be read\. If your network asks you to log in first/;

const loginPage = () =>
  new Response('<h1>Log in to the café’s network</h1>', {
    headers: { 'Content-Type': 'text/html' },
  });

test.each([
  ['a web page', loginPage],
  ['other JSON', () => ({ ok: true })],
])('a month answered with %s is an error with Try again, and no empty month', async (_, answer) => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-12-01T12:00:00Z') });
  let isAnsweredByApi = false;
  stubApi(() => (isAnsweredByApi ? { data: DECEMBER } : answer()));
  render(
    <BookingIsland
      artist={ANA}
      services={[FLASH]}
      serviceId={FLASH.id}
      designId={null}
      today="2026-12-01"
      initialMonth={null}
      zoneName="Eastern Time, New York"
    />,
  );
  expect(await screen.findByText(UNREADABLE)).toBeDefined();
  expect(screen.queryByText(/No available days/)).toBeNull();
  isAnsweredByApi = true;
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('2 days with available times in December 2026.')).toBeDefined();
});
