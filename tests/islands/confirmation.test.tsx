// @vitest-environment happy-dom

import { cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { renderToString } from 'react-dom/server';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import ConfirmationIsland from '#islands/confirmation/ConfirmationIsland.tsx';
import { $toasts } from '#stores/toasts.ts';
import {
  APPOINTMENT_ID,
  createConfirmation,
  fakeBookingApi,
  problemResponse,
} from '#support/fake_api.ts';

let api: ReturnType<typeof fakeBookingApi>;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-12-01T12:00:00Z') });
  api = fakeBookingApi();
});

afterEach(() => {
  cleanup();
  $toasts.set([]);
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const CONFIRM = 'Confirm Appointment';
const STATES = [
  {
    status: 'requested',
    start: null,
    end: null,
    heading: 'Thanks for your request, Rosa',
    yes: false,
  },
  { status: 'held', heading: 'Confirm your appointment.', yes: true },
  { status: 'offered', heading: 'Confirm your appointment.', yes: true },
  { status: 'confirmed', confirmed: true, heading: "You're booked!", yes: false },
  { status: 'declined', start: null, end: null, heading: 'Your request was declined.', yes: false },
  { status: 'expired', heading: 'This appointment was not confirmed in time.', yes: true },
  { status: 'cancelled', heading: 'This appointment was cancelled.', yes: false },
  { status: 'completed', confirmed: true, heading: 'This appointment is done.', yes: false },
  { status: 'no_show', confirmed: true, heading: 'You missed this appointment.', yes: false },
] as const;

describe.each(STATES)('an appointment that is $status', ({ heading, yes, ...parts }) => {
  const confirmation = createConfirmation(parts);

  it('has its own words, before any script', () => {
    document.body.innerHTML = renderToString(<ConfirmationIsland confirmation={confirmation} />);
    expect(screen.getByRole('heading', { level: 2 }).textContent).toBe(heading);
    expect(screen.queryByRole('button', { name: CONFIRM }) !== null).toBe(yes);
    expect(document.body.innerHTML).not.toContain('style=');
    document.body.innerHTML = '';
  });

  it('has the same words after', () => {
    render(<ConfirmationIsland confirmation={confirmation} />);
    expect(screen.getByRole('heading', { level: 2 }).textContent).toBe(heading);
    expect(screen.queryByRole('button', { name: CONFIRM }) !== null).toBe(yes);
  });
});

it('a request without a first name is thanked all the same', () => {
  render(
    <ConfirmationIsland
      confirmation={createConfirmation({
        status: 'requested',
        start: null,
        end: null,
        client: { first_name: null },
      })}
    />,
  );
  expect(screen.getByRole('heading', { level: 2 }).textContent).toBe('Thanks for your request');
});

it('the time is the studio’s, named, with the end one minute after the last', () => {
  render(<ConfirmationIsland confirmation={createConfirmation({})} />);
  expect(screen.getByText('Thursday, December 3, 2026')).toBeTruthy();
  expect(screen.getByText('10:00 AM - 11:00 AM')).toBeTruthy();
  expect(screen.getByText('Time zone: America/New_York')).toBeTruthy();
});

it('a booked appointment can be put into a calendar, with its time and its studio', () => {
  render(
    <ConfirmationIsland
      confirmation={createConfirmation({ status: 'confirmed', confirmed: true })}
    />,
  );
  const href = (name: string) => screen.getByRole('link', { name }).getAttribute('href') ?? '';
  const google = new URL(href('Google'));
  expect(google.hostname).toBe('calendar.google.com');
  expect(Object.fromEntries(google.searchParams)).toMatchObject({
    text: 'Tattoo Appointment',
    details: 'Tattoo appointment at Ink & Ivory.',
    dates: '20261203T150000Z/20261203T160000Z',
  });
  const outlook = new URL(href('Outlook'));
  expect(outlook.hostname).toBe('outlook.live.com');
  expect(Object.fromEntries(outlook.searchParams)).toMatchObject({
    subject: 'Tattoo Appointment',
    body: 'Tattoo appointment at Ink & Ivory.',
    startdt: '2026-12-03T15:00:00Z',
    enddt: '2026-12-03T16:00:00Z',
  });
  expect(href('Apple')).toBe(`/ana/confirmation/${APPOINTMENT_ID}/appointment.ics`);
});

it('confirming shows the booked appointment and says so', async () => {
  api.answerNext(Response.json(createConfirmation({ status: 'confirmed', confirmed: true })));
  render(<ConfirmationIsland confirmation={createConfirmation({})} />);
  await userEvent.click(screen.getByRole('button', { name: CONFIRM }));
  const heading = await screen.findByRole('heading', { name: "You're booked!" });
  expect(screen.getByText('Success!')).toBeTruthy();
  expect(screen.getByText('Appointment created successfully.')).toBeTruthy();
  await waitFor(() => expect(document.activeElement).toBe(heading));
  expect(api.calls.map(({ method }) => method)).toEqual(['POST']);
});

it('a refused confirmation tells why and shows what became of the appointment', async () => {
  api.answerNext(problemResponse(409, 'This appointment cannot be confirmed any more.'));
  api.answerNext(Response.json(createConfirmation({ status: 'cancelled' })));
  render(<ConfirmationIsland confirmation={createConfirmation({})} />);
  await userEvent.click(screen.getByRole('button', { name: CONFIRM }));
  expect(await screen.findByText('This appointment cannot be confirmed any more.')).toBeTruthy();
  expect(await screen.findByText('This appointment was cancelled.')).toBeTruthy();
  expect(screen.queryByRole('button', { name: CONFIRM })).toBeNull();
});

it('without a connection confirming says that it is safe to try again, and it is', async () => {
  api.answerNext('lost');
  api.answerNext(Response.json(createConfirmation({ status: 'confirmed', confirmed: true })));
  render(<ConfirmationIsland confirmation={createConfirmation({})} />);
  await userEvent.click(screen.getByRole('button', { name: CONFIRM }));
  await screen.findByText('The connection was lost. It is safe to try again.');
  await userEvent.click(await screen.findByRole('button', { name: CONFIRM }));
  await screen.findByRole('heading', { name: "You're booked!" });
});

it('an expired time is confirmed while it is free', async () => {
  api.answerNext(Response.json(createConfirmation({ status: 'confirmed', confirmed: true })));
  render(<ConfirmationIsland confirmation={createConfirmation({ status: 'expired' })} />);
  await userEvent.click(screen.getByRole('button', { name: CONFIRM }));
  await screen.findByRole('heading', { name: "You're booked!" });
});

it('an expired time that somebody else took says so, and stays expired', async () => {
  api.answerNext(problemResponse(409, 'That time is no longer available. Please pick another.'));
  api.answerNext(Response.json(createConfirmation({ status: 'expired' })));
  render(<ConfirmationIsland confirmation={createConfirmation({ status: 'expired' })} />);
  await userEvent.click(screen.getByRole('button', { name: CONFIRM }));
  await screen.findByText('That time is no longer available. Please pick another.');
  await waitFor(() => expect(api.calls.map(({ method }) => method)).toEqual(['POST', 'GET']));
  expect(screen.getByRole('heading', { level: 2 }).textContent).toBe(
    'This appointment was not confirmed in time.',
  );
});

it('an expired time that has passed cannot be confirmed', () => {
  const past = { start: '2026-11-30T15:00:00Z', end: '2026-11-30T15:59:00Z' };
  render(<ConfirmationIsland confirmation={createConfirmation({ status: 'expired', ...past })} />);
  expect(screen.queryByRole('button', { name: CONFIRM })).toBeNull();
});

it('the artist’s note stands on the page, with the lines that it was written in', () => {
  const parts = { status: 'declined', note: 'I am away in June.\nAsk again in July!' } as const;
  render(<ConfirmationIsland confirmation={createConfirmation(parts)} />);
  const note = screen.getByText('A note from Ana Reyes').closest('figure');
  expect(note?.querySelector('blockquote')?.textContent).toBe(parts.note);
});
