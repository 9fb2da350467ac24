// @vitest-environment happy-dom

import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { renderToString } from 'react-dom/server';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import BookingIsland from '#islands/booking/BookingIsland.tsx';
import type { InitialMonth } from '#stores/availability.ts';
import { $toasts } from '#stores/toasts.ts';
import {
  ANA,
  APPOINTMENT_ID,
  DECEMBER,
  FLASH,
  fakeBookingApi,
  problemResponse,
  SESSION,
} from '#support/fake_api.ts';
import { INVALID_DETAILS } from '#support/invalid_details.ts';
import { ROSA_DETAILS } from '#support/sample_people.ts';

const TAKEN = 'That time is no longer available. Please pick another.';

let api: ReturnType<typeof fakeBookingApi>;
let leftFor: ReturnType<typeof vi.spyOn>;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-12-01T12:00:00Z') });
  api = fakeBookingApi();
  leftFor = vi.spyOn(window.location, 'assign').mockImplementation(() => {});
});

afterEach(() => {
  cleanup();
  sessionStorage.clear();
  $toasts.set([]);
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

function islandOf(
  serviceId: string | null = FLASH.id,
  monthOfPage: InitialMonth | null = null,
  artist = ANA,
) {
  return (
    <BookingIsland
      artist={artist}
      services={[FLASH, SESSION]}
      serviceId={serviceId}
      designId={null}
      initialMonth={monthOfPage}
    />
  );
}

function open(...props: Parameters<typeof islandOf>) {
  render(islandOf(...props));
  return userEvent.setup();
}

const button = (name: string | RegExp) => screen.getByRole('button', { name });
const day = (name: string | RegExp) => screen.findByRole('button', { name });
const field = (name: string | RegExp) => screen.getByLabelText(name);

/** Every field by its label, as it is typed or chosen. */
const FORM = {
  'Location on the body': 'arms',
  Size: 'medium',
  Notes: 'A swallow, mid-flight.',
  'First name': ROSA_DETAILS.first_name,
  'Last name': ROSA_DETAILS.last_name,
  Pronouns: ROSA_DETAILS.pronouns,
  'Phone number': ROSA_DETAILS.phone_number,
  'Email (required)': ROSA_DETAILS.email,
  'Preferred contact': ROSA_DETAILS.preferred_contact,
};
const BLANK = Object.fromEntries(Object.keys(FORM).map((label) => [label, '']));

function typeIn(label: string, value: string): void {
  fireEvent.change(field(label), { target: { value } });
}

function fillForm(): void {
  for (const [label, value] of Object.entries(FORM)) typeIn(label, value);
}

function typedIn(): Record<string, string> {
  const labels = Object.keys(FORM);
  return Object.fromEntries(
    labels.map((label) => [label, screen.getByLabelText<HTMLInputElement>(label).value]),
  );
}

/** The times of the picked day. */
function times(): (string | null)[] {
  const list = screen.getByRole('group', { name: /December 3/ });
  return within(list)
    .queryAllByRole('button')
    .map(({ textContent }) => textContent);
}

async function pickSlot(user: ReturnType<typeof userEvent.setup>, time = '10:00 AM') {
  await waitFor(() => expect(screen.queryByText(/Loading December/)).toBeNull());
  await user.click(await day(/December 3,/));
  await user.click(button(time));
}

describe('choosing a service', () => {
  it('lists the services, and shows the one that is chosen', async () => {
    const user = open(null);
    expect(screen.getByRole('heading', { name: 'Select Appointment' })).toBeTruthy();
    await user.click(screen.getByRole('link', { name: 'Select Half-day session' }));
    expect(screen.getByText('240 minute appt.')).toBeTruthy();
    expect(document.activeElement?.textContent).toBe('Date and Time');
    expect(window.location.search).toContain(SESSION.id);
  });

  it('can be undone', async () => {
    const user = open();
    await user.click(screen.getByRole('link', { name: 'Change appointment' }));
    expect(screen.getByRole('heading', { name: 'Select Appointment' })).toBe(
      document.activeElement,
    );
  });
});

describe('the calendar', () => {
  it('offers only days with windows and outlines the studio’s today', async () => {
    open();
    await waitFor(() => expect(screen.queryByText(/Loading December/)).toBeNull());
    expect((await day(/December 3,/)).hasAttribute('disabled')).toBe(false);
    expect((await day(/December 5,/)).hasAttribute('disabled')).toBe(true);
    expect((await day(/^Today, .*December 1,/)).closest('td')?.dataset['today']).toBe('true');
    expect(document.querySelector('thead th')?.textContent).toBe('Su');
  });

  it('tells that a month could not be loaded, and loads it on another try', async () => {
    const user = open();
    await waitFor(() => expect(screen.queryByText(/Loading December/)).toBeNull());
    vi.stubGlobal('fetch', vi.fn(fetch).mockRejectedValueOnce(new TypeError('Failed to fetch')));
    api.months.set('2027-01', [{ date: '2027-01-05', windows: [] }]);
    await user.click(button('Next'));
    await screen.findByText(/The available days could not be loaded/);
    await user.click(button('Try again'));
    expect((await day(/January 5,/)).hasAttribute('disabled')).toBe(false);
    expect(screen.queryByText(/could not be loaded/)).toBeNull();
  });

  it('loads a month when it is shown, and once', async () => {
    const user = open();
    await user.click(button('Next'));
    expect(await screen.findByText('No available days in January 2027.')).toBeTruthy();
    await user.click(button('Previous'));
    await day(/December 3,/);
    expect(api.calls.map(({ query }) => query.get('month'))).toEqual(['12', '1']);
  });

  it('leads from a month without openings to the next with some', async () => {
    const user = open();
    await user.click(button('Next'));
    await user.click(await screen.findByRole('button', { name: /next month with openings/ }));
    expect((await day(/February 2,/)).hasAttribute('disabled')).toBe(false);
  });

  it('says so when the look ahead finds nothing', async () => {
    api.months.clear();
    const user = open();
    await user.click(await screen.findByRole('button', { name: /next month with openings/ }));
    expect(await screen.findByText(/none in the six months after/)).toBeTruthy();
  });

  it('is worked with the keyboard', async () => {
    const user = open();
    (await day(/December 3,/)).focus();
    await user.keyboard('{ArrowRight}{Enter}');
    expect(await screen.findByRole('heading', { name: 'Friday, December 4' })).toBeTruthy();
  });

  it('has one stop for the Tab key, which the arrow keys take along', async () => {
    const user = open();
    await waitFor(() => expect(screen.queryByText(/Loading December/)).toBeNull());
    const stops = () =>
      [...document.querySelectorAll<HTMLElement>('td button')].filter(
        ({ tabIndex }) => tabIndex === 0,
      );
    expect(stops()).toEqual([button(/December 3,/)]);
    button(/December 3,/).focus();
    await user.keyboard('{End}');
    expect(stops()).toEqual([button(/December 4,/)]);
    expect(document.activeElement).toBe(button(/December 4,/));
    await user.tab();
    await user.tab({ shift: true });
    expect(document.activeElement).toBe(button(/December 4,/));
  });

  it('keeps the keyboard’s place in a month that turns out to be closed on that day', async () => {
    const user = open();
    await waitFor(() => expect(screen.queryByText(/Loading December/)).toBeNull());
    button(/December 3,/).focus();
    await user.keyboard('{PageDown}');
    expect(await screen.findByText('No available days in January 2027.')).toBeTruthy();
    const reached = button(/January 3,/);
    expect(document.activeElement).toBe(reached);
    expect(reached.getAttribute('aria-disabled')).toBe('true');
    await user.keyboard('{Enter}');
    expect(screen.getByText('Pick a day to see its times.')).toBeTruthy();
    await user.keyboard('{PageUp}');
    expect(document.activeElement).toBe(button(/December 3,/));
  });

  it('does not go before its first month', async () => {
    const user = open();
    await waitFor(() => expect(screen.queryByText(/Loading December/)).toBeNull());
    await user.click(button('Previous'));
    expect(screen.getByRole('grid', { name: 'December 2026' })).toBeTruthy();
    expect(button('Previous').getAttribute('aria-disabled')).toBe('true');
  });
});

describe('the month that came with the page', () => {
  const page = (days = DECEMBER): InitialMonth => ({ month: '2026-12', days });
  const asked = () => api.calls.map(({ query }) => query.get('month'));

  it('is shown at once, times and all, while nobody answers', async () => {
    vi.stubGlobal('fetch', () => new Promise(() => {}));
    const user = open(FLASH.id, page());
    expect(screen.queryByText(/Loading/)).toBeNull();
    await user.click(button(/December 3,/));
    expect(button('10:00 AM')).toBeTruthy();
  });

  it('is on show before it is asked for again', async () => {
    const shown: boolean[] = [];
    const words = '2 days with available times in December 2026.';
    vi.stubGlobal('fetch', () => {
      shown.push(screen.queryByText(words) !== null);
      return new Promise(() => {});
    });
    const island = islandOf(FLASH.id, page());
    document.body.innerHTML = `<div>${renderToString(island)}</div>`;
    const [container] = document.body.children;
    if (!(container instanceof HTMLElement)) throw new Error('No container');
    render(island, { container, hydrate: true });
    await waitFor(() => expect(shown).toEqual([true]));
  });

  it('stays when it cannot be asked for again', async () => {
    const failing = vi.fn(() => Promise.reject(new TypeError('Failed to fetch')));
    vi.stubGlobal('fetch', failing);
    const user = open(FLASH.id, page());
    await waitFor(() => expect(failing).toHaveBeenCalledOnce());
    await user.click(button(/December 3,/));
    expect(button('10:00 AM')).toBeTruthy();
    expect(screen.queryByText(/could not be loaded/)).toBeNull();
  });

  it('is asked for once more, and gives way to what is so by then', async () => {
    open(FLASH.id, page([{ date: '2026-12-02', windows: [] }, ...DECEMBER]));
    expect(button(/December 2,/).hasAttribute('disabled')).toBe(false);
    await waitFor(() => expect(button(/December 2,/).hasAttribute('disabled')).toBe(true));
    expect(button(/December 3,/).hasAttribute('disabled')).toBe(false);
    expect(asked()).toEqual(['12']);
  });

  it('lets a picked time go that is listed no longer, with a word', async () => {
    const answers: ((response: Response) => void)[] = [];
    vi.stubGlobal('fetch', () => new Promise<Response>((resolve) => answers.push(resolve)));
    const user = open(FLASH.id, page());
    await pickSlot(user);
    expect(screen.getByText(/Selected Time/)).toBeTruthy();
    answers.shift()?.(Response.json({ data: DECEMBER.slice(1) }));
    expect(await screen.findByText(TAKEN)).toBeTruthy();
    expect(screen.queryByText(/Selected Time/)).toBeNull();
    expect(screen.getByText('No available times')).toBeTruthy();
  });

  it('is not taken for another month or another service', async () => {
    const user = open(FLASH.id, { month: '2026-11', days: DECEMBER });
    expect(screen.getByText('Loading December 2026…')).toBeTruthy();
    await waitFor(() => expect(asked()).toEqual(['11', '12']));
    await user.click(screen.getByRole('link', { name: 'Change appointment' }));
    await user.click(screen.getByRole('link', { name: 'Select Half-day session' }));
    await waitFor(() => expect(asked()).toEqual(['11', '12', '12']));
  });
});

describe('the slots', () => {
  it('stand on the studio’s clock, with the end one minute after the window’s', async () => {
    const user = open();
    await pickSlot(user);
    expect(screen.getByRole('heading', { name: 'Thursday, December 3' })).toBeTruthy();
    expect(screen.getByText('Time zone: America/New_York')).toBeTruthy();
    expect(screen.getByText('Selected Time: 10:00 AM - 11:00 AM')).toBeTruthy();
    expect(times()).toEqual(['10:00 AM', '11:00 AM']);
    expect(button('10:00 AM').getAttribute('aria-pressed')).toBe('true');
  });

  it('also tell the time of a client elsewhere', async () => {
    const real = Intl.DateTimeFormat.prototype.resolvedOptions;
    vi.spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions').mockImplementation(function (
      this: Intl.DateTimeFormat,
    ) {
      return { ...real.call(this), timeZone: 'America/Los_Angeles' };
    });
    const user = open();
    await pickSlot(user);
    expect(screen.getByText(/On your clock: .*7:00 AM - 8:00 AM/)).toBeTruthy();
  });

  it('are cleared by picking another date, and what was typed stays', async () => {
    const user = open();
    await pickSlot(user);
    fillForm();
    await user.click(button('11:00 AM'));
    expect(screen.getByText('Selected Time: 11:00 AM - 12:00 PM')).toBeTruthy();
    expect(typedIn()).toEqual(FORM);
    await user.click(await day(/December 4,/));
    expect(screen.queryByText(/Selected Time/)).toBeNull();
    expect(button('10:00 AM').getAttribute('aria-pressed')).toBe('false');
    expect(typedIn()).toEqual(FORM);
  });
});

describe('saving', () => {
  it('is disabled until the form is changed', async () => {
    const user = open();
    expect(button('Save').hasAttribute('disabled')).toBe(true);
    await user.type(field('First name'), 'R');
    expect(button('Save').hasAttribute('disabled')).toBe(false);
    await user.clear(field('First name'));
    expect(button('Save').hasAttribute('disabled')).toBe(true);
    await pickSlot(user);
    expect(button('Save').hasAttribute('disabled')).toBe(false);
  });

  it('without a time says so beside the calendar and leads there, until a time is picked', async () => {
    const user = open();
    await user.type(field(/^Email/), 'rosa@example.com');
    await user.click(button('Save'));
    await waitFor(() => expect(document.activeElement?.textContent).toContain('pick a date'));
    expect(api.requests()).toEqual([]);
    await pickSlot(user);
    expect(screen.queryByText(/pick a date/)).toBeNull();
  });

  it('needs an email and nothing else', () => {
    open();
    expect([...document.querySelectorAll('[required]')]).toEqual([field('Email (required)')]);
    expect(field('Email (required)').getAttribute('type')).toBe('email');
  });

  it('with a wrong field leads to the first one', async () => {
    const user = open();
    await pickSlot(user);
    await user.type(field('Phone number'), '12');
    await user.click(button('Save'));
    await waitFor(() => expect(document.activeElement).toBe(field('Phone number')));
    expect(field('Phone number').getAttribute('aria-invalid')).toBe('true');
    expect(await screen.findByText('Email is required')).toBeTruthy();
    expect(api.requests()).toEqual([]);
  });

  it('sends the slot and goes to the confirmation, leaving no draft', async () => {
    const user = open();
    await pickSlot(user);
    await user.type(field(/^Email/), 'rosa@example.com');
    await user.type(field('Phone number'), '212 555 0123');
    await user.selectOptions(field('Size'), 'Small (less than 3 inches)');
    await user.click(button('Save'));
    await waitFor(() =>
      expect(leftFor).toHaveBeenCalledWith(`/ana/confirmation/${APPOINTMENT_ID}/`),
    );
    expect(api.requests()[0]?.query.get('username')).toBe('ana');
    expect(api.requests()[0]?.body).toMatchObject({
      service_id: FLASH.id,
      design_id: null,
      start: '2026-12-03T15:00:00Z',
      end: '2026-12-03T15:59:00Z',
      email: 'rosa@example.com',
      phone_number: '+12125550123',
      size: 'small',
    });
    expect(sessionStorage.length).toBe(0);
    // As Back shows the page again.
    cleanup();
    open();
    expect(typedIn()).toEqual(BLANK);
    expect(screen.queryByText(/Selected Time/)).toBeNull();
    expect(button('Save').hasAttribute('disabled')).toBe(true);
  });

  it('twice at once sends once', async () => {
    const user = open();
    await pickSlot(user);
    await user.type(field(/^Email/), 'rosa@example.com');
    await user.dblClick(button('Save'));
    await waitFor(() => expect(leftFor).toHaveBeenCalled());
    expect(api.requests()).toHaveLength(1);
  });
});

describe('a save that fails', () => {
  async function fillAndSave(user: ReturnType<typeof userEvent.setup>) {
    await pickSlot(user);
    fillForm();
    await user.click(button('Save'));
  }
  async function saveAgain(user: ReturnType<typeof userEvent.setup>) {
    await user.click(button('Save'));
    await waitFor(() => expect(leftFor).toHaveBeenCalled());
  }
  const wrong = (field: string, msg: string) => ({ type: 'custom', loc: ['body', field], msg });

  it('with a 422 puts the server’s words beside the fields, and leads to the first of the page', async () => {
    const user = open();
    api.answerNext(
      problemResponse(422, [
        wrong('email', 'No such mailbox'),
        wrong('pronouns', 'Too many pronouns'),
      ]),
    );
    await fillAndSave(user);
    const words = await screen.findByText('Too many pronouns');
    await waitFor(() => expect(document.activeElement).toBe(field('Pronouns')));
    expect(field('Pronouns').getAttribute('aria-describedby')).toContain(words.id);
    const email = field('Email (required)');
    expect(email.getAttribute('aria-describedby')).toContain(
      screen.getByText('No such mailbox').id,
    );
    expect(typedIn()).toEqual(FORM);
    await saveAgain(user);
  });

  it('with a 422 about the time tells it as an error, and everything stays', async () => {
    const user = open();
    api.answerNext(problemResponse(422, [wrong('end', 'Does not belong to the service')]));
    await fillAndSave(user);
    expect(await screen.findByText('Does not belong to the service')).toBeTruthy();
    expect(typedIn()).toEqual(FORM);
    expect(screen.getByText('Selected Time: 10:00 AM - 11:00 AM')).toBeTruthy();
    await waitFor(() => expect(button('Save').getAttribute('aria-disabled')).toBeNull());
    expect(button('Save').hasAttribute('disabled')).toBe(false);
  });

  it('tells the server’s refusal as an error that stays until it is closed', async () => {
    const user = open();
    api.answerNext(problemResponse(503, 'Try again in a moment.'));
    await fillAndSave(user);
    const toast = await within(screen.getAllByRole('alert').at(-1) ?? document.body).findByText(
      'Try again in a moment.',
    );
    expect(toast.previousElementSibling?.textContent).toBe('Something went wrong.');
    expect(typedIn()).toEqual(FORM);
    expect(screen.getByText(/Selected Time/)).toBeTruthy();
    await user.click(button('Close: Something went wrong.'));
    expect(screen.queryByText('Try again in a moment.')).toBeNull();
    await saveAgain(user);
  });

  it('because the time is taken clears the slot, asks for the month again and keeps the rest', async () => {
    const user = open();
    api.answerNext(problemResponse(409, TAKEN));
    await fillAndSave(user);
    expect(await screen.findByText(TAKEN)).toBeTruthy();
    expect(screen.queryByText(/Selected Time/)).toBeNull();
    expect(typedIn()).toEqual(FORM);
    const asked = api.calls.filter(({ path }) => path.endsWith('/availability'));
    expect(asked).toHaveLength(2);
  });

  it('because the artist takes no bookings now is told in those words, and what was typed stays', async () => {
    const user = open();
    api.answerNext(problemResponse(409, 'This artist is not taking bookings now.'));
    await fillAndSave(user);
    expect(await screen.findByText('This artist is not taking bookings now.')).toBeTruthy();
    expect(screen.queryByText(TAKEN)).toBeNull();
    expect(typedIn()).toEqual(FORM);
  });

  it('because the last time of the day is taken leaves the day without times', async () => {
    const user = open();
    api.answerNext(problemResponse(409, TAKEN));
    await pickSlot(user);
    fillForm();
    api.months.clear();
    await user.click(button('Save'));
    expect(await screen.findByText('No available times')).toBeTruthy();
    expect(screen.getByText(TAKEN)).toBeTruthy();
    expect(times()).toEqual([]);
    expect(typedIn()).toEqual(FORM);
  });

  it('for want of a connection is retried under the same key, another slot under another', async () => {
    const user = open();
    api.answerNext('lost');
    api.answerNext('lost');
    await fillAndSave(user);
    expect(await screen.findByText(/safe to try again/)).toBeTruthy();
    expect(typedIn()).toEqual(FORM);
    await user.click(button('Save'));
    await waitFor(() => expect(api.requests()).toHaveLength(2));
    await waitFor(() => expect(button('Save')).toBeTruthy());
    await user.click(button('11:00 AM'));
    await user.click(button('Save'));
    await waitFor(() => expect(leftFor).toHaveBeenCalled());
    const [first, second, third] = api.requests().map(({ idempotencyKey: key }) => key);
    expect(first).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4/);
    expect(second).toBe(first);
    expect(third).not.toBe(first);
  });
});

describe('what was typed', () => {
  it('survives a reload, slot and key too, and counts as a change', async () => {
    const user = open();
    api.answerNext('lost');
    await pickSlot(user);
    await user.type(field(/^Email/), 'rosa@example.com');
    await user.click(button('Save'));
    await screen.findByText(/safe to try again/);
    cleanup();
    // The lost request had arrived: its time is ours and no longer listed.
    api.months.clear();
    const later = open();
    expect(screen.getByDisplayValue('rosa@example.com')).toBeTruthy();
    expect(screen.getByText('Selected Time: 10:00 AM - 11:00 AM')).toBeTruthy();
    await later.click(button('Save'));
    await waitFor(() => expect(leftFor).toHaveBeenCalled());
    const [first, second] = api.requests().map(({ idempotencyKey: key }) => key);
    expect(second).toBe(first);
  });

  it('survives a reload, but a slot that went meanwhile is let go with a word', async () => {
    const user = open();
    await pickSlot(user);
    await user.type(field('First name'), 'Rosa');
    cleanup();
    api.months.clear();
    open();
    expect(await screen.findByText(TAKEN)).toBeTruthy();
    expect(screen.queryByText(/Selected Time/)).toBeNull();
    expect(screen.getByDisplayValue('Rosa')).toBeTruthy();
  });

  it('survives a change of the service, which drops the time', async () => {
    const user = open();
    await pickSlot(user);
    fillForm();
    await user.click(screen.getByRole('link', { name: 'Change appointment' }));
    await user.click(screen.getByRole('link', { name: 'Select Half-day session' }));
    expect(typedIn()).toEqual(FORM);
    expect(screen.queryByText(/Selected Time/)).toBeNull();
  });

  it('at one artist is not shown at another', () => {
    open();
    fillForm();
    cleanup();
    open(FLASH.id, null, { ...ANA, username: 'cleo' });
    expect(typedIn()).toEqual(BLANK);
    cleanup();
    open();
    expect(typedIn()).toEqual(FORM);
  });

  it('is gone after Cancel, here and after a reload', async () => {
    const user = open();
    await pickSlot(user);
    fillForm();
    await user.click(button('Cancel'));
    expect(typedIn()).toEqual(BLANK);
    expect(screen.queryByText(/Selected Time/)).toBeNull();
    expect(button('Save').hasAttribute('disabled')).toBe(true);
    cleanup();
    open();
    expect(typedIn()).toEqual(BLANK);
    expect(screen.queryByText(/Selected Time/)).toBeNull();
  });
});

it('bad input is told beside its field once it is left, in the words of the API', async () => {
  open();
  for (const { label, typed, message } of INVALID_DETAILS) {
    expect(field(label).getAttribute('aria-invalid')).toBe('false');
    typeIn(label, typed);
    fireEvent.blur(field(label));
    const words = await screen.findByText(message);
    expect(field(label).getAttribute('aria-invalid')).toBe('true');
    expect(field(label).getAttribute('aria-describedby')?.split(' ')).toContain(words.id);
    typeIn(label, FORM[label]);
    fireEvent.blur(field(label));
    await waitFor(() => expect(screen.queryByText(message)).toBeNull());
  }
});
