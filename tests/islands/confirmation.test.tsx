import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ComponentProps } from 'react';
import { renderToString } from 'react-dom/server';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Confirmation } from '#contract/appointment.ts';
import type { RefusalReason } from '#domain/refusal.ts';
import { US_CONVENTIONS } from '#domain/time/date_conventions.ts';
import ConfirmationIsland from '#islands/confirmation/ConfirmationIsland.tsx';
import { refusalAnswer } from '#server/api/error_answers.ts';
import { readBookingDraft } from '#stores/booking_draft.ts';
import {
  APPOINTMENT_ID,
  createConfirmation,
  FLASH,
  fakeBookingApi,
  problemResponse,
  refusalResponse,
} from '#support/fake_api.ts';

let api: ReturnType<typeof fakeBookingApi>;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-12-01T12:00:00Z') });
  api = fakeBookingApi();
  setBrowserZone('America/New_York');
});

function setBrowserZone(timeZone: string): void {
  const options = new Intl.DateTimeFormat().resolvedOptions();
  vi.spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions').mockReturnValue({
    ...options,
    timeZone,
  });
}

type PageProps = ComponentProps<typeof ConfirmationIsland>;

/** The page as our server renders it for a visitor from the United States. */
function Page(props: Partial<PageProps> & Pick<PageProps, 'confirmation'>) {
  return (
    <ConfirmationIsland
      isTakingBookings
      mailToken={null}
      conventions={US_CONVENTIONS}
      now={Date.parse('2026-12-01T12:00:00Z')}
      refused={null}
      zoneName="Eastern Time (New York)"
      {...props}
    />
  );
}

const CONFIRM = 'Confirm Appointment';
const STATES: readonly [Partial<Confirmation>, heading: string, canConfirm: boolean][] = [
  [{ status: 'requested', start: null, end: null }, 'Thanks for your request, Rosa', false],
  [{ status: 'requested', client: { first_name: null } }, 'Thanks for your request', false],
  [{ status: 'held' }, 'Confirm your appointment.', true],
  [{ status: 'held', must_prove_email: true }, 'One more step: look into your mail.', false],
  [{ status: 'offered' }, 'Confirm your appointment.', true],
  [{ status: 'confirmed', confirmed: true }, "You're booked!", false],
  [{ status: 'declined', start: null, end: null }, 'Your request was declined.', false],
  [{ status: 'expired' }, 'This appointment was not confirmed in time.', true],
  [{ status: 'cancelled' }, 'This appointment was cancelled.', false],
  [{ status: 'completed', confirmed: true }, 'This appointment is done.', false],
  [{ status: 'no_show', confirmed: true }, 'You missed this appointment.', false],
];

it.each(['held', 'requested'] as const)(
  'asks for the whole link of a %s appointment when only a part of it was opened',
  (status) => {
    const confirmation = createConfirmation({ status, must_prove_email: true });
    render(<Page isLinkIncomplete confirmation={confirmation} />);
    expect(screen.getByRole('heading', { level: 2 }).textContent).toBe(
      'This link is not complete.',
    );
    expect(screen.queryByRole('button', { name: CONFIRM })).toBeNull();
  },
);

it.each(STATES)(
  'the server-rendered HTML of %j has its heading and button',
  (details, ...shown) => {
    document.body.innerHTML = renderToString(<Page confirmation={createConfirmation(details)} />);
    const heading = screen.getByRole('heading', { level: 2 }).textContent;
    expect([heading, screen.queryByRole('button', { name: CONFIRM }) !== null]).toEqual(shown);
    expect(document.body.innerHTML).not.toContain('style=');
    document.body.innerHTML = '';
  },
);

it('deadlines are on the client’s own clock, and say so where it shows another time than the studio’s', () => {
  setBrowserZone('Europe/Berlin');
  const at = '2026-12-01T11:59:00Z';
  const history = [{ at, by: 'client', what: 'held', start: null } as const];
  const cancel_until = '2026-12-01T15:00:00Z';
  render(<Page confirmation={createConfirmation({ history, cancel_until })} />);
  expect(screen.getByText('Kept for you until 4:30 PM on your clock')).toBeTruthy();
  expect(screen.getByText('In studio time')).toBeTruthy();
  expect(
    screen.getByText(
      'Once it is booked, you can cancel it here until Tue, Dec 1, 4:00 PM on your clock.',
    ),
  ).toBeTruthy();
});

it.each(['Etc/Unknown', 'America/Lacking'])(
  'a browser whose own zone is %s shows the studio’s time only',
  (zone) => {
    setBrowserZone(zone);
    render(<Page confirmation={createConfirmation({})} />);
    screen.getByText('10:00 AM - 11:00 AM');
    expect(screen.queryByText(/^On your clock/)).toBeNull();
  },
);

it.each([
  ['2026-12-01T15:00:00Z', 'Once it is booked, you can cancel it here until Tue, Dec 1, 10:00 AM.'],
  ['2026-12-01T11:00:00Z', 'Once it is booked, you cannot cancel it here: write to Ana Reyes.'],
  [null, 'Once it is booked, you cannot cancel it here: write to Ana Reyes.'],
] as const)(
  'before the client confirms, the page says whether they can cancel: until %s',
  (until, text) => {
    for (const status of ['held', 'offered'] as const) {
      render(<Page confirmation={createConfirmation({ status, cancel_until: until })} />);
      expect(screen.getByText(text)).toBeTruthy();
      cleanup();
    }
  },
);

it('confirming shows the booked appointment and a success toast', async () => {
  api.answerNext(Response.json(createConfirmation({ status: 'confirmed', confirmed: true })));
  render(<Page confirmation={createConfirmation({})} />);
  await userEvent.click(screen.getByRole('button', { name: CONFIRM }));
  const heading = await screen.findByRole('heading', { name: "You're booked!" });
  expect(screen.getByText('Success!')).toBeTruthy();
  expect(screen.getByText('Appointment created successfully.')).toBeTruthy();
  await waitFor(() => expect(document.activeElement).toBe(heading));
  expect(api.calls.map(({ method }) => method)).toEqual(['POST']);
});

it('an expired appointment whose time is taken names the nearest free times, which fill the booking form', async () => {
  const navigate = vi.spyOn(window.location, 'assign').mockImplementation(() => {});
  const expired = createConfirmation({ status: 'expired' });
  const nearest = [{ start: '2026-12-03T16:00:00Z', end: '2026-12-03T16:59:00Z' }];
  api.answerNext(refusalResponse('time_taken', { nearest }));
  api.answerNext(Response.json(expired));
  render(<Page confirmation={expired} />);
  await userEvent.click(screen.getByRole('button', { name: CONFIRM }));
  const words = await screen.findByText('Thu, Dec 3, 10:00 AM is taken. Free times near it:');
  await waitFor(() => expect(document.activeElement).toBe(words));
  screen.getByText('You are welcome to book another time.');
  expect(screen.queryByText(/you can confirm it/)).toBeNull();
  expect(screen.queryByRole('button', { name: CONFIRM })).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Thu, Dec 3, 11:00 AM' }));
  expect(navigate).toHaveBeenCalledWith(`/ana/scheduling?service=${FLASH.id}`);
  expect(readBookingDraft('ana').slot).toMatchObject({ serviceId: FLASH.id, ...nearest[0] });
});

describe('a refused Confirm says what to do next, without the words of the toast', () => {
  const at = '2026-12-01T12:00:00Z';
  const offered = { at, by: 'artist', what: 'offered', start: '2026-12-03T15:00:00Z' } as const;
  const lapsed: Partial<Confirmation> = { status: 'requested', start: null, history: [offered] };
  const BOOK_FOR_YOU = 'Nothing is booked yet. Write to Ana Reyes, who can still book it for you.';
  const REACH =
    'Nothing is booked yet. You can reach Ana Reyes by the email or phone number on their pages.';
  const LATE = 'This appointment was not confirmed in time.';
  it.each<readonly [RefusalReason, Partial<Confirmation>, Partial<Confirmation>, string, string]>([
    ['sender_took_share', {}, {}, 'This appointment is not confirmed.', BOOK_FOR_YOU],
    ['sender_blocked', {}, {}, 'This appointment is not confirmed.', REACH],
    ['books_closed', { status: 'expired' }, { status: 'expired' }, LATE, BOOK_FOR_YOU],
    [
      'offer_ended',
      { status: 'offered' },
      lapsed,
      'Thanks for your request, Rosa',
      'The offer of Thu, Dec 3, 10:00 AM has ended. Ana Reyes still has your request, and can offer you another.',
    ],
  ])('%s', async (reason, before, after, heading, next) => {
    const { detail: text } = refusalAnswer(reason);
    const shown = () => {
      expect(screen.getByRole('heading', { level: 2 }).textContent).toBe(heading);
      expect(screen.getAllByText(next)).toHaveLength(1);
      expect(screen.getAllByText(text)).toHaveLength(1);
      expect(screen.queryByRole('button', { name: CONFIRM })).toBeNull();
      expect(screen.queryByText(/^Kept for you/)).toBeNull();
      const write = screen.queryAllByRole('button', { name: 'Write to Ana Reyes' });
      const forms = write.map((button) => button.closest('form')?.getAttribute('action'));
      expect(forms).toEqual(reason === 'sender_blocked' ? [] : ['/ana/contact?draft']);
      if (after === lapsed) expect(document.body.innerHTML).toContain('"About my request:');
    };
    const typed = { note: '', email: '' };
    const refused = { text, reason, nearest: [], typed, confirmedVersion: 1 };
    // Without JavaScript, the notice of the page stands for the toast.
    document.body.innerHTML = renderToString(
      <Page confirmation={createConfirmation(after)} refused={refused} />,
    );
    shown();
    document.body.innerHTML = '';
    api.answerNext(refusalResponse(reason));
    api.answerNext(Response.json(createConfirmation(after)));
    render(<Page confirmation={createConfirmation(before)} />);
    await userEvent.click(screen.getByRole('button', { name: CONFIRM }));
    await screen.findByText('Something went wrong.');
    shown();
    await waitFor(() => expect(document.activeElement?.textContent).toBe(heading));
  });

  it('asks for the mailed link when the page was opened by another one', async () => {
    const unproven = createConfirmation({ must_prove_email: true });
    api.answerNext(problemResponse(409, 'This is not the link that we mailed to you.'));
    api.answerNext(Response.json(unproven));
    render(<Page mailToken="token" confirmation={unproven} />);
    await userEvent.click(screen.getByRole('button', { name: CONFIRM }));
    await screen.findByRole('heading', { name: 'One more step: look into your mail.' });
  });
});

it.each([
  ['2026-12-01T12:30:00Z', 'Kept for you until 7:30 AM'],
  ['2026-12-04T12:00:00Z', 'Kept for you until Fri, Dec 4, 7:00 AM'],
  [null, 'It is yours once you confirm. Until you confirm, others can still take this time.'],
])('a hold until %s says whether its time is kept', (lapses_at, text) => {
  render(<Page mailToken="token" confirmation={createConfirmation({ lapses_at })} />);
  screen.getByText(text);
});

it('an appointment that only the mailed link confirms has the button once that was opened', () => {
  const confirmation = createConfirmation({ must_prove_email: true });
  render(<Page mailToken="token" confirmation={confirmation} />);
  expect(screen.getByRole('button', { name: CONFIRM })).toBeTruthy();
});

it.each(['12:00', '15:00', '09:00'])(
  'what is left of the time that is kept counts down, on a device whose clock shows %s',
  async (time) => {
    vi.useFakeTimers({ now: new Date(`2026-12-01T${time}:00Z`) });
    render(<Page confirmation={createConfirmation({ lapses_at: '2026-12-01T12:30:00Z' })} />);
    expect(screen.getByRole('timer').textContent).toBe(' (30 minutes left)');
    await act(() => vi.advanceTimersByTimeAsync(61_000));
    expect(screen.getByRole('timer').textContent).toBe(' (28 minutes left)');
    await act(() => vi.advanceTimersByTimeAsync(25 * 60_000));
    expect(screen.getByRole('timer').textContent).toBe(' (3 min 59 s left)');
  },
);

it.each([
  ['held', 'confirm', null],
  ['confirmed', 'cancel', ['cancel it here', 'If you cannot come, cancel it here until']],
  ['confirmed', 'move', ['move it here', 'If something comes up, move it here until']],
] as const)(
  '%s (can %s): one card first, then the calendar and what the client can do',
  (...row) => {
    const [status, can, link] = row;
    const until = '2026-12-01T15:00:00Z';
    const confirmation = createConfirmation({
      status,
      can: [can],
      move_until: until,
      cancel_until: until,
      location: 'arms',
      size: 'small',
      customer_notes: 'A swallow.',
      booking_policy: 'Rested.',
      price: { kind: 'fixed', amount: 18_000, amount_to: null, currency: 'USD' },
      history: [{ at: until, by: 'client', what: 'held', start: '2026-12-03T15:00:00Z' }],
    });
    const { container } = render(<Page confirmation={confirmation} />);
    const texts = [
      ...['Thursday, December 3, 2026', 'Small flash', '$180', 'Payment due at appointment'],
      ...(link ? ['See on a map', 'Add to calendar'] : ['Rested.', 'See on a map']),
      ...['Write to Ana Reyes', 'What happened so far', 'Your data'],
    ];
    const places = texts.map((text) => container.textContent.indexOf(text));
    expect(places).toEqual(places.filter((place) => place > 0).toSorted((a, b) => a - b));
    // What is agreed to is read before; later it is folded, as the rest.
    for (const text of ['Arms', 'Small (less than 3 inches)', 'A swallow.'])
      expect(screen.getByText(text).closest('details')?.open).toBe(status === 'held');
    expect(screen.getByText('Rested.').closest('details')?.open).toBe(link ? false : undefined);
    const event = screen.getByText('You chose Thu, Dec 3, 10:00 AM.');
    expect(event.closest('details')?.open).toBe(false);
    if (link === null) return;
    const change = screen.getByRole('link', { name: link[0] });
    expect(change.parentElement?.textContent).toBe(`${link[1]} Tue, Dec 1, 10:00 AM.`);
    expect(change.getAttribute('href')).toBe(`#${can}`);
    expect(container.querySelector(`#${can}`)?.closest('button, details')).not.toBeNull();
    screen.getByText('See you at Ink & Ivory.');
    const write = screen.getByRole('button', { name: 'Write to Ana Reyes' });
    expect(write.matches('form[data-posts] button'), 'works before its scripts').toBe(true);
  },
);

describe('what else the client can do', () => {
  const emailField = () => screen.getByLabelText<HTMLInputElement>('Your email');
  const booked = createConfirmation({
    status: 'confirmed',
    confirmed: true,
    can: ['cancel', 'change_email'],
    cancel_until: '2026-12-01T15:00:00Z',
  });

  it('confirms with the corrected email that is typed and not sent yet', async () => {
    const held = createConfirmation({ can: ['confirm', 'change_email'] });
    api.answerNext(Response.json({ ...held, version: 2, email_hint: 'm•••@example.com' }));
    api.answerNext(Response.json(booked));
    render(<Page confirmation={held} />);
    await userEvent.click(screen.getByText(/Change it\.$/));
    await userEvent.type(emailField(), 'me@example.com');
    await userEvent.click(screen.getByRole('button', { name: CONFIRM }));
    await screen.findByRole('heading', { name: "You're booked!" });
    expect([emailField().value, emailField().closest('details')?.open]).toEqual(['', false]);
    expect(api.calls).toMatchObject([
      {
        path: `appointments/confirmation/${APPOINTMENT_ID}/email`,
        body: { email: 'me@example.com' },
      },
      { path: `appointments/confirmation/${APPOINTMENT_ID}`, body: { version: 2 } },
    ]);
  });

  it.each([
    ['typed before the page’s scripts ran', '', [{ body: { email: 'me@example' } }]],
    ['left by an earlier visit is not sent, but stays', 'me@example', [{ body: { version: 1 } }]],
    ['left by one and edited since', 'me@exam', [{ body: { email: 'me@example' } }]],
  ])('Confirm and a corrected email: one that was %s', async (_, kept, calls) => {
    const held = createConfirmation({ can: ['confirm', 'change_email'] });
    api.answerNext(problemResponse(422, 'Invalid email address'));
    const container = document.body.appendChild(document.createElement('div'));
    container.innerHTML = renderToString(<Page confirmation={held} />);
    emailField().value = 'me@example';
    emailField().setAttribute('data-kept', kept);
    render(<Page confirmation={held} />, { container, hydrate: true });
    await userEvent.click(screen.getByRole('button', { name: CONFIRM }));
    await waitFor(() => expect(api.calls).toMatchObject(calls));
    expect(emailField().value).toBe('me@example');
  });

  it('changes a proven email with the link that was mailed to it', async () => {
    const waiting = { ...booked, new_email_hint: 'n•••@example.com' };
    api.answerNext(problemResponse(503, 'Please wait.'));
    api.answerNext(Response.json({ ...booked, email_hint: 'n•••@example.com' }));
    const { unmount } = render(
      <Page confirmation={waiting} emailChange={{ token: 'token', to: 'new@example.com' }} />,
    );
    const agree = { name: 'Send my mails to new@example.com' };
    await userEvent.click(screen.getByRole('button', agree));
    await screen.findByText('Please wait.');
    await userEvent.click(screen.getByRole('button', agree));
    await screen.findByText('We mail you at new@example.com. Not yours? Change it.');
    const call = { path: `appointments/confirmation/${APPOINTMENT_ID}/email/proof` };
    expect(api.calls).toMatchObject(Array(2).fill({ ...call, body: { change_token: 'token' } }));
    unmount();
    // A newer link was mailed meanwhile.
    api.answerNext(problemResponse(400, 'This link has been used or has run out.'));
    api.answerNext(Response.json({ ...waiting, new_email_hint: 'o•••@example.com' }));
    render(<Page confirmation={waiting} emailChange={{ token: 'token', to: 'new@example.com' }} />);
    await userEvent.click(screen.getByRole('button', agree));
    await screen.findByText(/we mail you at o•••@example\.com\. Not yours\? Change it\.$/);
  });

  it('shows, once its tab is seen again, that the link to another email was used in another one', async () => {
    api.answerNext(Response.json({ ...booked, email_hint: 'n•••@example.com' }));
    render(<Page confirmation={{ ...booked, new_email_hint: 'n•••@example.com' }} />);
    document.dispatchEvent(new Event('visibilitychange'));
    await screen.findByText('We mail you at n•••@example.com. Not yours? Change it.');
  });

  it('corrects an email that can no longer be changed here by writing to the artist', () => {
    render(<Page confirmation={{ ...booked, can: ['cancel'] }} />);
    screen.getByText('We mail you at r•••@example.com. Not yours?');
    const link = screen.getByRole('link', { name: 'Write to Ana Reyes' });
    expect(link.getAttribute('href')).toBe('/ana/contact');
  });

  it('confirms nothing when the typed email is refused, or must be proven first', async () => {
    const held = createConfirmation({ can: ['confirm', 'change_email'] });
    api.answerNext(problemResponse(422, 'Invalid email address'));
    api.answerNext(Response.json({ ...held, version: 2, must_prove_email: true }));
    render(<Page confirmation={held} />);
    await userEvent.type(emailField(), 'me@example');
    await userEvent.click(screen.getByRole('button', { name: CONFIRM }));
    const description = 'Invalid email address';
    const invalid = await screen.findByRole('textbox', { name: 'Your email', description });
    expect(invalid.matches('details[open] :focus[aria-invalid=true]')).toBe(true);
    expect(screen.queryByText('Something went wrong.')).toBeNull();
    await userEvent.type(emailField(), '.com');
    expect(screen.queryByText('Invalid email address')).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: CONFIRM }));
    await screen.findByRole('heading', { name: 'One more step: look into your mail.' });
    expect(api.calls.map(({ path }) => path)).toEqual(
      Array(2).fill(`appointments/confirmation/${APPOINTMENT_ID}/email`),
    );
  });

  it('declines an offer', async () => {
    api.answerNext(Response.json(createConfirmation({ status: 'requested', start: null })));
    render(<Page confirmation={createConfirmation({ status: 'offered', can: ['decline'] })} />);
    await userEvent.click(screen.getByText('Decline this offer'));
    await userEvent.click(screen.getByRole('button', { name: 'Decline' }));
    await screen.findByRole('heading', { name: 'Thanks for your request, Rosa' });
    const path = `appointments/confirmation/${APPOINTMENT_ID}/decline`;
    expect(api.calls).toMatchObject([{ path, body: { note: '' } }]);
  });

  it('picks another time: the hold is released, and the form opens', async () => {
    const navigate = vi.spyOn(window.location, 'replace').mockImplementation(() => {});
    render(<Page confirmation={createConfirmation({ can: ['confirm', 'release'] })} />);
    await userEvent.click(screen.getByRole('button', { name: 'Pick another time' }));
    await waitFor(() =>
      expect(navigate).toHaveBeenCalledWith(`/ana/scheduling?service=${FLASH.id}`),
    );
  });

  it('is nothing when it lies in the past, save to book again', () => {
    const past = { start: '2026-11-30T15:00:00Z', end: '2026-11-30T15:59:00Z', can: [] };
    render(<Page confirmation={{ ...booked, ...past }} />);
    screen.getByRole('heading', { name: 'This appointment is over.' });
    expect(screen.queryByRole('link', { name: 'Google' })).toBeNull();
    expect(screen.getByRole('link', { name: 'Book again' }).getAttribute('href')).toBe(
      `/ana/scheduling?service=${FLASH.id}`,
    );
  });
});

describe('what the client cannot do here with a booked appointment', () => {
  const UNTIL = '2026-12-01T15:00:00Z';
  it.each<{ readonly text: RegExp } & Partial<Confirmation>>([
    {
      can: ['move'],
      cancel_until: UNTIL,
      text: /^Cancelling here was possible until .* To cancel it, write/,
    },
    {
      can: ['cancel'],
      move_until: UNTIL,
      text: /^Moving here was possible until .* To move it, write/,
    },
    { can: [], text: /^To cancel or move it, write to the artist\.$/ },
    {
      can: [],
      cancel_until: UNTIL,
      history: [
        { at: '2026-11-01T16:00:00Z', by: 'client', what: 'requested', start: null },
        { at: '2026-12-01T16:00:00Z', by: 'client', what: 'confirmed', start: null },
      ],
      text: /^To cancel or move it, write to the artist\.$/,
    },
  ])('$can', ({ text, ...fields }) => {
    const booked = { status: 'confirmed', confirmed: true } as const;
    render(<Page confirmation={createConfirmation({ ...booked, ...fields })} />);
    expect(screen.getByText(text)).toBeTruthy();
    const form = screen.getByRole('button', { name: 'Write to Ana Reyes' }).closest('form');
    expect([form?.method, form?.getAttribute('action')]).toEqual(['post', '/ana/contact?draft']);
  });
});

it('keeps the words of a cancellation that has become too late, for a message to the artist', async () => {
  const booked = { status: 'confirmed', confirmed: true, start: '2026-12-03T15:00:00Z' } as const;
  const before = createConfirmation({ ...booked, can: ['cancel'] });
  api.answerNext(problemResponse(409, 'It is too late.'));
  api.answerNext(Response.json({ ...before, can: [] }));
  render(<Page confirmation={before} />);
  await userEvent.click(screen.getByText('Cancel appointment'));
  await userEvent.type(screen.getByLabelText(/^A word to Ana Reyes/), 'I have the flu.');
  await userEvent.click(screen.getByRole('button', { name: 'Cancel this appointment' }));
  await screen.findByText('Not cancelled.');
  expect(api.calls[0]?.body).toEqual({ note: 'I have the flu.', version: 1 });
  const form = screen.getByRole('button', { name: 'Write to Ana Reyes' }).closest('form');
  expect(form && Object.fromEntries(new FormData(form))).toEqual({
    message: 'About my appointment on Thu, Dec 3, 10:00 AM:\n\nI have the flu.',
  });
});

describe('what the artist keeps about the client', () => {
  const asked_at = '2026-12-01T12:00:00Z';
  const copy = { kind: 'copy' as const, asked_at, done_at: null };
  const erasure = { kind: 'erasure' as const, asked_at, done_at: null };
  const path = `appointments/confirmation/${APPOINTMENT_ID}/data-request`;

  it('is asked to be erased after the page says what that means, and for a copy', async () => {
    api.answerNext(Response.json(createConfirmation({ data_requests: [erasure] })));
    render(<Page confirmation={createConfirmation({})} />);
    await userEvent.click(screen.getByText('Ask to erase my data'));
    screen.getByText(
      /^Ana Reyes is mailed, and decides\. An appointment ahead has to be cancelled/,
    );
    await userEvent.click(screen.getByRole('button', { name: 'Yes, ask to erase it' }));
    await screen.findByText(
      /^You asked Ana Reyes to erase your data on Tuesday, December 1, 2026\./,
    );
    expect(screen.queryByText('Ask to erase my data')).toBeNull();
    api.answerNext(Response.json(createConfirmation({ data_requests: [copy, erasure] })));
    await userEvent.click(screen.getByRole('button', { name: 'Ask for a copy' }));
    await screen.findByText(/^You asked Ana Reyes for a copy of your data on Tuesday, December 1/);
    screen.getByText('Ana Reyes was told what you ask for.');
    expect(document.activeElement?.textContent).toBe('Your data');
    expect(api.calls).toMatchObject([
      { path, body: { kind: 'erasure' } },
      { path, body: { kind: 'copy' } },
    ]);
  });

  it('cannot be asked for again while it is shown as done', () => {
    const done = { ...copy, done_at: '2026-12-02T12:00:00Z' };
    render(<Page confirmation={createConfirmation({ data_requests: [done] })} />);
    screen.getByText(
      /It was marked as done on Wednesday, December 2, 2026\. To ask again, write to/,
    );
    expect(screen.queryByRole('button', { name: 'Ask for a copy' })).toBeNull();
  });

  it('can be asked for only by who has used a mailed link, or opened the page by one', () => {
    const confirmation = createConfirmation({ email_proven: false });
    const { rerender } = render(<Page confirmation={confirmation} />);
    screen.getByText(/open this page by the link in our mail to r•••@example\.com\.$/);
    expect(screen.queryByRole('button', { name: 'Ask for a copy' })).toBeNull();
    expect(screen.queryByText('Ask to erase my data')).toBeNull();
    rerender(<Page key="mailed" confirmation={confirmation} mailToken="token" />);
    screen.getByRole('button', { name: 'Ask for a copy' });
  });

  it('is asked for by forms before the page’s scripts run', () => {
    const html = renderToString(<Page confirmation={createConfirmation({})} />);
    for (const action of ['ask_copy', 'ask_erasure'])
      expect(html).toContain(`<input type="hidden" name="action" value="${action}"/>`);
  });
});
