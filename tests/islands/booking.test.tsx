import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ComponentProps } from 'react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { AvailableDay } from '#contract/availability.ts';
import BookingIsland from '#islands/booking/BookingIsland.tsx';
import type { InitialMonth } from '#stores/availability.ts';
import { readBookingDraft } from '#stores/booking_draft.ts';
import { BLANK_DETAILS } from '#stores/details.ts';
import { readHold, saveHold } from '#stores/saved_hold.ts';
import {
  ANA,
  APPOINTMENT_ID,
  DECEMBER,
  FLASH,
  fakeBookingApi,
  problemResponse,
  refusalResponse,
  SESSION,
  stubApi,
} from '#support/fake_api.ts';
import { INVALID_DETAILS } from '#support/invalid_details.ts';
import { ROSA_DETAILS } from '#support/sample_people.ts';

const NEAR_TEN_TEXT = 'Thu, Dec 3, 10:00 AM is taken. Free times near it:';

let api: ReturnType<typeof fakeBookingApi>;
let navigate: ReturnType<typeof vi.spyOn>;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-12-01T12:00:00Z') });
  api = fakeBookingApi();
  navigate = vi.spyOn(window.location, 'assign').mockImplementation(() => {});
});

function islandOf(
  serviceId: string | null = FLASH.id,
  initialMonth: InitialMonth | null = null,
  design: Partial<ComponentProps<typeof BookingIsland>> = {},
) {
  return (
    <BookingIsland
      artist={ANA}
      services={[FLASH, SESSION]}
      serviceId={serviceId}
      designId={null}
      today="2026-12-01"
      initialMonth={initialMonth}
      zoneName="Eastern Time (New York)"
      {...design}
    />
  );
}

const FIXED = { kind: 'fixed', amount: 15_000, amount_to: null, currency: 'USD' } as const;

it('a design that is booked with a service leaves no service to choose', () => {
  const designFacts = { duration: null, price: FIXED, service_id: FLASH.id, left: null };
  render(islandOf(FLASH.id, null, { designId: 'design-one', designFacts }));
  // The page shows the price of the design beside the form.
  expect(screen.queryByText(/\$/)).toBeNull();
  expect(screen.queryByRole('link', { name: 'Change appointment' })).toBeNull();
});

it('a design with its price on request leaves the services theirs', () => {
  const services = [{ ...SESSION, price: FIXED }];
  const price = { ...FIXED, kind: 'ask', amount: null } as const;
  const designFacts = { duration: null, price, service_id: null, left: null };
  render(islandOf(null, null, { services, designId: 'design-one', designFacts }));
  expect(screen.getByText('$150')).toBeTruthy();
});

it('an artist without services can be written to', () => {
  render(islandOf(null, null, { services: [] }));
  const link = screen.getByRole('link', { name: 'Write to ana' });
  expect(link.getAttribute('href')).toBe('/ana/contact');
});

it('Back and Forward lead through the services while the one of the design is hidden', async () => {
  const designFacts = { duration: null, price: null, service_id: 'hidden', left: null };
  render(islandOf('hidden', null, { designId: 'design-one', designFacts }));
  await userEvent.click(screen.getByRole('link', { name: 'Select Half-day session' }));
  showStep('?design=design-one');
  expect(document.activeElement?.textContent).toBe('Select Appointment');
  showStep(`?design=design-one&service=${SESSION.id}`);
  expect(document.activeElement?.textContent).toBe('Date and Time');
});

/** As Back and Forward do. */
function showStep(search: string): void {
  history.replaceState(null, '', search);
  fireEvent.popState(window);
}

function openPage(...props: Parameters<typeof islandOf>) {
  render(islandOf(...props));
  return userEvent.setup();
}

const button = (name: string | RegExp) => screen.getByRole('button', { name });
const day = (name: string | RegExp) => screen.findByRole('button', { name });
const field = (name: string | RegExp) => screen.getByLabelText(name);

/** The value of every field, by its label. */
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

function setField(label: string, value: string): void {
  fireEvent.change(field(label), { target: { value } });
}

function fillForm(): void {
  for (const [label, value] of Object.entries(FORM)) setField(label, value);
}

function formValues(): Record<string, string> {
  const labels = Object.keys(FORM);
  return Object.fromEntries(
    labels.map((label) => [label, screen.getByLabelText<HTMLInputElement>(label).value]),
  );
}

/** With enough free days that the page does not load the month after it, too. */
const BUSY_DECEMBER: AvailableDay[] = [
  ...DECEMBER,
  {
    date: '2026-12-07',
    windows: [{ start: '2026-12-07T15:00:00Z', end: '2026-12-07T15:59:00Z' }],
  },
];

async function chooseSlot(user: ReturnType<typeof userEvent.setup>, time = '10:00 AM') {
  await waitFor(() => expect(screen.queryByText(/Loading December/)).toBeNull());
  await user.click(await day(/December 3,/));
  await user.click(button(time));
}

it('choosing a service and changing it are steps of the history, with what was typed', async () => {
  const before = history.length;
  const user = openPage(null);
  await user.click(screen.getByRole('link', { name: 'Select Small flash' }));
  expect(screen.getByText('60 minute appt.')).toBeTruthy();
  expect(window.location.search).toContain(FLASH.id);
  fillForm();
  await chooseSlot(user);
  expect(history.length).toBe(before + 1);
  await user.click(screen.getByRole('link', { name: 'Change appointment' }));
  expect(document.activeElement?.textContent).toBe('Select Appointment');
  showStep(`?service=${FLASH.id}`);
  expect(document.activeElement?.textContent).toBe('Date and Time');
  expect(formValues()).toEqual(FORM);
});

describe('the calendar', () => {
  it('enables only days with open times and marks today in the studio’s zone', async () => {
    openPage();
    await waitFor(() => expect(screen.queryByText(/Loading December/)).toBeNull());
    expect((await day(/December 3,/)).hasAttribute('disabled')).toBe(false);
    expect((await day(/December 5,/)).hasAttribute('disabled')).toBe(true);
    expect((await day(/^Today, .*December 1,/)).closest('td')?.dataset['today']).toBe('true');
    expect(document.querySelector('thead th')?.textContent).toBe('Su');
  });

  it('shows a message when the next six months have no openings', async () => {
    api.months.clear();
    const user = openPage();
    await user.click(await screen.findByRole('button', { name: /next month with openings/ }));
    expect(await screen.findByText(/none in the six months after/)).toBeTruthy();
  });

  it('shows an error with Try again, and no empty month, when an answer is not that of the API', async () => {
    let isAnsweredByApi = false;
    stubApi(() => (isAnsweredByApi ? { data: DECEMBER } : { ok: true }));
    const user = openPage();
    expect(await screen.findByText(/The answer could not be read\./)).toBeTruthy();
    expect(screen.queryByText(/No available days/)).toBeNull();
    isAnsweredByApi = true;
    await user.click(button('Try again'));
    expect(await screen.findByText('2 days with available times in December 2026.')).toBeTruthy();
  });

  it('has one tab stop, which follows keyboard focus (roving tabindex)', async () => {
    const user = openPage();
    await waitFor(() => expect(screen.queryByText(/Loading December/)).toBeNull());
    const tabStops = () =>
      [...document.querySelectorAll<HTMLElement>('td button')].filter(
        ({ tabIndex }) => tabIndex === 0,
      );
    expect(tabStops()).toEqual([button(/December 3,/)]);
    button(/December 3,/).focus();
    await user.keyboard('{End}');
    expect(tabStops()).toEqual([button(/December 4,/)]);
    expect(document.activeElement).toBe(button(/December 4,/));
    await user.tab();
    await user.tab({ shift: true });
    expect(document.activeElement).toBe(button(/December 4,/));
  });

  it('focuses a closed day in a month without openings, where it cannot be chosen', async () => {
    api.months.set('2026-12', BUSY_DECEMBER);
    const user = openPage();
    await waitFor(() => expect(screen.queryByText(/Loading December/)).toBeNull());
    button(/December 3,/).focus();
    await user.keyboard('{PageDown}');
    expect(await screen.findByText('No available days in January 2027.')).toBeTruthy();
    const closedDay = button(/January 3,/);
    expect(document.activeElement).toBe(closedDay);
    expect(closedDay.getAttribute('aria-disabled')).toBe('true');
    await user.keyboard('{Enter}');
    expect(screen.getByText('Pick a day to see its times.')).toBeTruthy();
    await user.keyboard('{PageUp}');
    expect(document.activeElement).toBe(button(/December 3,/));
    await user.click(button('Previous'));
    expect(screen.getByRole('grid', { name: 'December 2026' })).toBeTruthy();
  });
});

it('the slots are in the studio’s zone and end one minute after the end that the API returns', async () => {
  const user = openPage();
  await chooseSlot(user);
  expect(screen.getByRole('heading', { name: 'Thursday, December 3' })).toBeTruthy();
  expect(screen.getByText('Time zone: America/New_York')).toBeTruthy();
  expect(screen.getByText('Eastern Time (New York)')).toBeTruthy();
  expect(screen.getByText('Selected Time: 10:00 AM - 11:00 AM')).toBeTruthy();
  expect(button('10:00 AM').getAttribute('aria-pressed')).toBe('true');
});

it('a month with few open days lists them with their times, and one tap chooses day and time', async () => {
  const groups = () =>
    screen.getAllByRole('group', { name: /^\w+, December/ }).map((group) => group.textContent);
  const user = openPage();
  const friday = await screen.findByRole('group', { name: 'Friday, December 4' });
  const listed = ['Morning10:00 AM11:00 AM', 'Morning10:00 AM'];
  expect(groups()).toEqual(listed);
  const time = within(friday).getByRole('button', { name: '10:00 AM' });
  await user.click(time);
  expect(document.activeElement).toBe(time);
  expect(time.getAttribute('aria-pressed')).toBe('true');
  expect(groups()).toEqual(listed);
  expect(button(/December 4, 2026, selected/)).toBeTruthy();
});

describe('an unconfirmed hold', () => {
  const HOLD = {
    appointmentId: APPOINTMENT_ID,
    start: '2026-12-03T15:00:00Z',
    until: '2026-12-01T12:30:00Z',
    isReserved: true,
    details: { ...BLANK_DETAILS, first_name: 'Rosa', email: 'rosa@example.com' },
  };

  it('of another tab fills the form, is named with a link, and is replaced by the next booking', async () => {
    saveHold('ana', HOLD);
    const user = openPage();
    expect(await screen.findByText('You hold Thu, Dec 3, 10:00 AM.')).toBeTruthy();
    const link = screen.getByRole('link', { name: 'Confirm it as you saved it' });
    expect(link.getAttribute('href')).toBe(`/ana/confirmation/${APPOINTMENT_ID}/`);
    expect(formValues()).toMatchObject({ 'First name': 'Rosa' });
    await chooseSlot(user, '11:00 AM');
    await user.click(button('Save'));
    await waitFor(() => expect(navigate).toHaveBeenCalled());
    expect(api.requests()[0]?.body).toMatchObject({
      replaces: APPOINTMENT_ID,
      email: 'rosa@example.com',
    });
    expect(readHold('ana')?.details).toEqual(HOLD.details);
  });

  it('does not fill the form again after Cancel and a reload', async () => {
    saveHold('ana', HOLD);
    const user = openPage();
    await waitFor(() => expect(formValues()).toMatchObject({ 'First name': 'Rosa' }));
    await user.click(button('Cancel'));
    cleanup();
    openPage();
    expect(formValues()).toEqual(BLANK);
  });
});

describe('saving a booking', () => {
  it('is disabled until the form is changed', async () => {
    const user = openPage();
    expect(button('Save').hasAttribute('disabled')).toBe(true);
    await user.type(field('First name'), 'R');
    expect(button('Save').hasAttribute('disabled')).toBe(false);
    await user.clear(field('First name'));
    expect(button('Save').hasAttribute('disabled')).toBe(true);
    await chooseSlot(user);
    expect(button('Save').hasAttribute('disabled')).toBe(false);
  });

  it('without a time shows an error at the calendar and focuses it, until a time is chosen', async () => {
    const user = openPage();
    await user.type(field(/^Email/), 'rosa@example.com');
    await user.click(button('Save'));
    await waitFor(() => expect(document.activeElement?.textContent).toContain('pick a date'));
    expect(api.requests()).toEqual([]);
    await chooseSlot(user);
    expect(screen.queryByText(/pick a date/)).toBeNull();
  });

  it('with invalid fields, of which only the email is required, focuses the first one and sends nothing', async () => {
    const user = openPage();
    expect([...document.querySelectorAll('[required]')]).toEqual([field('Email (required)')]);
    await chooseSlot(user);
    await user.type(field('Phone number'), '12');
    await user.click(button('Save'));
    await waitFor(() => expect(document.activeElement).toBe(field('Phone number')));
    expect(field('Phone number').getAttribute('aria-invalid')).toBe('true');
    expect(await screen.findByText('Email is required')).toBeTruthy();
    expect(api.requests()).toEqual([]);
  });

  it('sends the slot, keeps what was typed, and opens the confirmation page', async () => {
    const user = openPage();
    await chooseSlot(user);
    await user.type(field(/^Email/), 'rosa@example.com');
    await user.type(field('Phone number'), '212 555 0123');
    await user.selectOptions(field('Size'), 'Small (less than 3 inches)');
    await user.click(button('Save'));
    await waitFor(() =>
      expect(navigate).toHaveBeenCalledWith(`/ana/confirmation/${APPOINTMENT_ID}/`),
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
    expect(readBookingDraft('ana').slot).toBeNull();
    // The browser’s Back button opens the page again, for another time.
    cleanup();
    openPage();
    expect(formValues()).toEqual({
      ...BLANK,
      Size: 'small',
      'Phone number': '212 555 0123',
      'Email (required)': 'rosa@example.com',
    });
    expect(screen.queryByText(/Selected Time/)).toBeNull();
  });
});

describe('a save that fails', () => {
  async function fillAndSave(user: ReturnType<typeof userEvent.setup>) {
    await chooseSlot(user);
    fillForm();
    await user.click(button('Save'));
  }
  async function saveAgain(user: ReturnType<typeof userEvent.setup>) {
    await user.click(button('Save'));
    await waitFor(() => expect(navigate).toHaveBeenCalled());
  }
  const invalidField = (field: string, msg: string) => ({
    type: 'custom',
    loc: ['body', field],
    msg,
  });

  it('with a 422 shows each message at its field until that changes, and focuses the first field of the form', async () => {
    const user = openPage();
    api.answerNext(
      problemResponse(422, [
        invalidField('email', 'No such mailbox'),
        invalidField('pronouns', 'Too many pronouns'),
      ]),
    );
    await fillAndSave(user);
    const message = await screen.findByText('Too many pronouns');
    await waitFor(() => expect(document.activeElement).toBe(field('Pronouns')));
    expect(field('Pronouns').getAttribute('aria-describedby')).toContain(message.id);
    const email = field('Email (required)');
    expect(email.getAttribute('aria-describedby')).toContain(
      screen.getByText('No such mailbox').id,
    );
    expect(formValues()).toEqual(FORM);
    setField('Pronouns', 'she');
    await waitFor(() => expect(screen.queryByText('Too many pronouns')).toBeNull());
    await saveAgain(user);
  });

  it('because the time is taken names the nearest free ones above the times, focused', async () => {
    const user = openPage();
    const nearest = [{ start: '2027-02-02T15:00:00Z', end: '2027-02-02T15:59:00Z' }];
    api.answerNext(refusalResponse('time_taken', { nearest }));
    await fillAndSave(user);
    const words = await screen.findByText(NEAR_TEN_TEXT);
    await waitFor(() => expect(document.activeElement).toBe(words));
    expect(words.closest('[role=alert]')).not.toBeNull();
    const calendar = screen.getByRole('grid');
    expect(words.compareDocumentPosition(calendar)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
    await user.click(button('Tue, Feb 2, 10:00 AM'));
    expect(screen.getByRole('grid', { name: 'February 2027' })).toBeTruthy();
    await saveAgain(user);
    expect(api.requests().at(-1)?.body).toMatchObject(nearest[0] ?? {});
  });

  it('because the service is gone shows the list of services with the reason, and the form stays filled in', async () => {
    const user = openPage();
    api.services.shift();
    api.answerNext(refusalResponse('service_not_available'));
    await fillAndSave(user);
    const words = await screen.findByText(/You had chosen “Small flash”/);
    await waitFor(() => expect(document.activeElement).toBe(words));
    expect(screen.getAllByRole('link').map(({ textContent }) => textContent)).toEqual([
      'Select Half-day session',
    ]);
    await user.click(screen.getByRole('link', { name: 'Select Half-day session' }));
    expect(formValues()).toEqual(FORM);
    expect(screen.queryByText(/You had chosen/)).toBeNull();
  });
});

it('the Undo of Cancel brings back the form with its time, also after a reload, and leaves what was typed since', async () => {
  const user = openPage();
  await chooseSlot(user);
  fillForm();
  await user.click(button('Cancel'));
  expect(formValues()).toEqual(BLANK);
  await user.type(field('First name'), 'Rosalind');
  await user.click(button('Undo'));
  expect(formValues()).toEqual({ ...FORM, 'First name': 'Rosalind' });
  cleanup();
  openPage();
  expect(formValues()).toEqual({ ...FORM, 'First name': 'Rosalind' });
  expect(screen.getByText('Selected Time: 10:00 AM - 11:00 AM')).toBeTruthy();
});

it('invalid input shows its message at the field on blur', async () => {
  openPage();
  for (const { label, input, message } of INVALID_DETAILS) {
    expect(field(label).getAttribute('aria-invalid')).toBe('false');
    setField(label, input);
    fireEvent.blur(field(label));
    const messageElement = await screen.findByText(message);
    expect(field(label).getAttribute('aria-invalid')).toBe('true');
    expect(field(label).getAttribute('aria-describedby')?.split(' ')).toContain(messageElement.id);
    setField(label, FORM[label]);
    fireEvent.blur(field(label));
    await waitFor(() => expect(screen.queryByText(message)).toBeNull());
  }
});
