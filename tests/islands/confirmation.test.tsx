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
  FLASH,
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
    canConfirm: false,
  },
  { status: 'held', heading: 'Confirm your appointment.', canConfirm: true },
  { status: 'offered', heading: 'Confirm your appointment.', canConfirm: true },
  { status: 'confirmed', confirmed: true, heading: "You're booked!", canConfirm: false },
  {
    status: 'declined',
    start: null,
    end: null,
    heading: 'Your request was declined.',
    canConfirm: false,
  },
  { status: 'expired', heading: 'This appointment was not confirmed in time.', canConfirm: true },
  { status: 'cancelled', heading: 'This appointment was cancelled.', canConfirm: false },
  { status: 'completed', confirmed: true, heading: 'This appointment is done.', canConfirm: false },
  {
    status: 'no_show',
    confirmed: true,
    heading: 'You missed this appointment.',
    canConfirm: false,
  },
] as const;

it.each(['held', 'requested'] as const)(
  'asks for the whole link of a %s appointment when only a part of it was opened',
  (status) => {
    const confirmation = createConfirmation({ status, must_prove_email: true });
    render(<ConfirmationIsland mailToken={null} isLinkIncomplete confirmation={confirmation} />);
    expect(screen.getByRole('heading', { level: 2 }).textContent).toBe(
      'This link is not complete.',
    );
    expect(screen.queryByRole('button', { name: CONFIRM })).toBeNull();
  },
);

describe.each(STATES)(
  'the confirmation page of an appointment that is $status',
  ({ heading, canConfirm, ...details }) => {
    const confirmation = createConfirmation(details);

    it('has its heading and button in the server-rendered HTML', () => {
      document.body.innerHTML = renderToString(
        <ConfirmationIsland mailToken={null} confirmation={confirmation} />,
      );
      expect(screen.getByRole('heading', { level: 2 }).textContent).toBe(heading);
      expect(screen.queryByRole('button', { name: CONFIRM }) !== null).toBe(canConfirm);
      expect(document.body.innerHTML).not.toContain('style=');
      document.body.innerHTML = '';
    });

    it('has the same heading and button in the browser', () => {
      render(<ConfirmationIsland mailToken={null} confirmation={confirmation} />);
      expect(screen.getByRole('heading', { level: 2 }).textContent).toBe(heading);
      expect(screen.queryByRole('button', { name: CONFIRM }) !== null).toBe(canConfirm);
    });
  },
);

it('a request without a first name has a heading without a name', () => {
  render(
    <ConfirmationIsland
      mailToken={null}
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

it('the time is in the studio’s named zone and ends one minute after the API’s end', () => {
  render(<ConfirmationIsland mailToken={null} confirmation={createConfirmation({})} />);
  expect(screen.getByText('Thursday, December 3, 2026')).toBeTruthy();
  expect(screen.getByText('10:00 AM - 11:00 AM')).toBeTruthy();
  expect(screen.getByText('Time zone: America/New_York')).toBeTruthy();
});

it('a booked appointment has links to add it to Google, Outlook and Apple calendars', () => {
  render(
    <ConfirmationIsland
      mailToken={null}
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

it('confirming shows the booked appointment and a success toast', async () => {
  api.answerNext(Response.json(createConfirmation({ status: 'confirmed', confirmed: true })));
  render(<ConfirmationIsland mailToken={null} confirmation={createConfirmation({})} />);
  await userEvent.click(screen.getByRole('button', { name: CONFIRM }));
  const heading = await screen.findByRole('heading', { name: "You're booked!" });
  expect(screen.getByText('Success!')).toBeTruthy();
  expect(screen.getByText('Appointment created successfully.')).toBeTruthy();
  await waitFor(() => expect(document.activeElement).toBe(heading));
  expect(api.calls.map(({ method }) => method)).toEqual(['POST']);
});

it('a refused confirmation shows the reason and the current state of the appointment', async () => {
  api.answerNext(problemResponse(409, 'This appointment cannot be confirmed any more.'));
  api.answerNext(Response.json(createConfirmation({ status: 'cancelled' })));
  render(<ConfirmationIsland mailToken={null} confirmation={createConfirmation({})} />);
  await userEvent.click(screen.getByRole('button', { name: CONFIRM }));
  expect(await screen.findByText('This appointment cannot be confirmed any more.')).toBeTruthy();
  expect(await screen.findByText('This appointment was cancelled.')).toBeTruthy();
  expect(screen.queryByRole('button', { name: CONFIRM })).toBeNull();
});

it('a confirmation with a lost connection can be tried again', async () => {
  api.answerNext('lost');
  api.answerNext(Response.json(createConfirmation({ status: 'confirmed', confirmed: true })));
  render(<ConfirmationIsland mailToken={null} confirmation={createConfirmation({})} />);
  await userEvent.click(screen.getByRole('button', { name: CONFIRM }));
  await screen.findByText('The connection was lost. It is safe to try again.');
  await userEvent.click(await screen.findByRole('button', { name: CONFIRM }));
  await screen.findByRole('heading', { name: "You're booked!" });
});

it('an expired appointment can still be confirmed', async () => {
  api.answerNext(Response.json(createConfirmation({ status: 'confirmed', confirmed: true })));
  render(
    <ConfirmationIsland
      mailToken={null}
      confirmation={createConfirmation({ status: 'expired' })}
    />,
  );
  await userEvent.click(screen.getByRole('button', { name: CONFIRM }));
  await screen.findByRole('heading', { name: "You're booked!" });
});

it('an expired appointment whose time is taken shows that, and stays expired', async () => {
  api.answerNext(problemResponse(409, 'That time is no longer available. Please pick another.'));
  api.answerNext(Response.json(createConfirmation({ status: 'expired' })));
  render(
    <ConfirmationIsland
      mailToken={null}
      confirmation={createConfirmation({ status: 'expired' })}
    />,
  );
  await userEvent.click(screen.getByRole('button', { name: CONFIRM }));
  await screen.findByText('That time is no longer available. Please pick another.');
  await waitFor(() => expect(api.calls.map(({ method }) => method)).toEqual(['POST', 'GET']));
  expect(screen.getByRole('heading', { level: 2 }).textContent).toBe(
    'This appointment was not confirmed in time.',
  );
});

it('an expired appointment whose time is taken names the nearest free times, which lead to the form', async () => {
  const navigate = vi.spyOn(window.location, 'assign').mockImplementation(() => {});
  const expired = createConfirmation({ status: 'expired' });
  const nearest = [{ start: '2026-12-03T16:00:00Z', end: '2026-12-03T16:59:00Z' }];
  api.answerNext(
    problemResponse(409, 'That time is no longer available. Please pick another.', { nearest }),
  );
  api.answerNext(Response.json(expired));
  render(<ConfirmationIsland mailToken={null} confirmation={expired} />);
  await userEvent.click(screen.getByRole('button', { name: CONFIRM }));
  const words = await screen.findByText('Thu, Dec 3, 10:00 AM is taken. Free times near it:');
  await waitFor(() => expect(document.activeElement).toBe(words));
  screen.getByText('You are welcome to book another time.');
  expect(screen.queryByText(/you can confirm it/)).toBeNull();
  expect(screen.queryByRole('button', { name: CONFIRM })).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Thu, Dec 3, 11:00 AM' }));
  expect(navigate).toHaveBeenCalledWith(`/ana/scheduling?service=${FLASH.id}`);
  navigate.mockRestore();
});

it('says above the summary who changed the appointment meanwhile, and shows it as it is now', async () => {
  const moved = { at: '2026-12-01T12:00:00Z', by: 'artist', what: 'moved', start: null } as const;
  const now = { version: 2, start: '2026-12-03T12:20:00Z', end: '2026-12-03T13:19:00Z' };
  api.answerNext(problemResponse(409, 'This appointment has changed in the meantime.'));
  api.answerNext(Response.json(createConfirmation({ ...now, history: [moved] })));
  render(<ConfirmationIsland mailToken={null} confirmation={createConfirmation({})} />);
  await userEvent.click(screen.getByRole('button', { name: CONFIRM }));
  const words = await screen.findByText('Ana Reyes moved this to 7:20 AM.');
  const summary = screen.getByText('7:20 AM - 8:20 AM');
  expect(words.compareDocumentPosition(summary)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
  expect(screen.getByRole('button', { name: CONFIRM })).toBeTruthy();
});

it('a refused confirmation of a lapsed offer shows the request that is still open, and names the time', async () => {
  const offered = {
    at: '2026-12-01T12:00:00Z',
    by: 'artist',
    what: 'offered',
    start: '2026-12-03T15:00:00Z',
  } as const;
  api.answerNext(problemResponse(409, 'This offer has ended. Your request is still open.'));
  api.answerNext(
    Response.json(
      createConfirmation({ status: 'requested', start: null, end: null, history: [offered] }),
    ),
  );
  render(
    <ConfirmationIsland
      mailToken={null}
      confirmation={createConfirmation({ status: 'offered' })}
    />,
  );
  await userEvent.click(screen.getByRole('button', { name: CONFIRM }));
  await screen.findByRole('heading', { name: 'Thanks for your request, Rosa' });
  const texts = screen.getAllByText(/offer.* has ended/).map(({ textContent }) => textContent);
  expect(texts).toEqual([
    'The offer of Thu, Dec 3, 10:00 AM has ended. Your request is still open.',
    'This offer has ended. Your request is still open.',
  ]);
});

it.each([
  ['2026-12-01T12:30:00Z', /^This time is kept for you/],
  [null, /Until then, others can still take this time/],
])('a hold until %s says whether its time is kept', (lapses_at, text) => {
  render(<ConfirmationIsland mailToken="token" confirmation={createConfirmation({ lapses_at })} />);
  screen.getByText(text);
});

it('an expired appointment in the past cannot be confirmed', () => {
  const past = { start: '2026-11-30T15:00:00Z', end: '2026-11-30T15:59:00Z' };
  render(
    <ConfirmationIsland
      mailToken={null}
      confirmation={createConfirmation({ status: 'expired', can: [], ...past })}
    />,
  );
  expect(screen.queryByRole('button', { name: CONFIRM })).toBeNull();
});

it('the artist’s note is on the page with its line breaks', () => {
  const declined = { status: 'declined', note: 'I am away in June.\nAsk again in July!' } as const;
  render(<ConfirmationIsland mailToken={null} confirmation={createConfirmation(declined)} />);
  const note = screen.getByText('A note from Ana Reyes').closest('figure');
  expect(note?.querySelector('blockquote')?.textContent).toBe(declined.note);
});

describe('an appointment that only the mailed link confirms', () => {
  const confirmation = createConfirmation({ must_prove_email: true });

  it('asks to look into the mail, without a button, when the page was opened otherwise', () => {
    render(<ConfirmationIsland mailToken={null} confirmation={confirmation} />);
    expect(screen.getByRole('heading', { level: 2 }).textContent).toBe(
      'One more step: look into your mail.',
    );
    expect(screen.queryByRole('button', { name: CONFIRM })).toBeNull();
  });

  it('is confirmed with the button when the mailed link was opened', () => {
    render(<ConfirmationIsland mailToken="token" confirmation={confirmation} />);
    expect(screen.getByRole('button', { name: CONFIRM })).toBeTruthy();
  });
});
