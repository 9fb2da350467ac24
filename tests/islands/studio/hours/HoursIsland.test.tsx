import { act, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { CurrentArtist } from '#contract/artist.ts';
import HoursIsland from '#islands/studio/hours/HoursIsland.tsx';
import { startSession } from '#stores/session.ts';
import { $me } from '#stores/studio/me.ts';
import { type ApiCall, problemResponse } from '#support/fake_api.ts';
import { createAppointment, toListed } from '#support/fake_schedule_api.ts';
import {
  ANA_WITH_SCHEDULE,
  input,
  listWrites,
  openStudioPage,
  press,
  resetStudioPage,
  type,
} from '#support/fake_studio_api.ts';

const PAGE = '/studio/hours';
const CLOSED: CurrentArtist = {
  ...ANA_WITH_SCHEDULE,
  schedule: { ...ANA_WITH_SCHEDULE.schedule, weekly: [] },
};

let answers: Parameters<typeof openStudioPage>[1];
let calls: ApiCall[];
let me: CurrentArtist;

beforeEach(() => {
  answers = {};
});
afterEach(() => resetStudioPage());

/** Opens the page of an artist; the fake API stores changed hours. */
async function openPage(artist = ANA_WITH_SCHEDULE): Promise<void> {
  me = artist;
  answers['GET users/me'] = () => me;
  answers['PATCH users/me/schedule'] = ({ body }) => {
    me = { ...me, schedule: { ...me.schedule, ...body } };
    return me;
  };
  answers['PATCH users/me/booking_range'] = ({ body }) => {
    me = { ...me, booking_range: { kind: 'rolling', days: Number(body['days']) } };
    return me;
  };
  calls = openStudioPage(PAGE, answers);
  render(<HoursIsland productName="Linework" />);
  await screen.findByRole('heading', { name: 'Weekly hours' });
  await waitFor(() => expect(screen.queryByText(/^Loading/)).toBeNull());
}

async function save(): Promise<void> {
  await press('Save');
  await screen.findByText('Hours saved.');
  expect(screen.queryByText('Not saved yet')).toBeNull();
  expect(document.activeElement).toBe(screen.getByRole('region', { name: 'The next two weeks' }));
}

/** The times of the preview by day. */
const previewedTimes = () =>
  Object.fromEntries(
    screen.queryAllByRole('list', { name: /^Times on / }).map((list) => [
      list.getAttribute('aria-label')?.replace('Times on ', ''),
      within(list)
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent),
    ]),
  );

test('a new artist can start with default hours, and previews the times before saving', async () => {
  await openPage(CLOSED);
  await screen.findByText(/^You have no hours yet/);
  expect(previewedTimes()).toEqual({});
  await press('Start with Tuesday to Saturday, 10 to 6');
  type('Wednesday, until', '12:00');
  await screen.findByText(/^\d+ times in the next two weeks/);
  const preview = previewedTimes();
  expect(preview['Wednesday, December 9']).toEqual(['10:00 AM', '11:00 AM']);
  expect(Object.keys(preview).filter((day) => /^(Sunday|Monday)/.test(day))).toEqual([]);
  expect(listWrites(calls)).toEqual([]);
  await save();
  expect(previewedTimes()).toEqual(preview);
  expect(me.schedule.weekly.find(({ weekday }) => weekday === 3)?.windows).toEqual([
    { start: '10:00', end: '12:00' },
  ]);
});

test('the preview says that the books are closed, until the booking range that is typed has today', async () => {
  const books = { ...CLOSED.books, is_open: false };
  const booking_range = { kind: 'fixed', start: '2026-12-05', end: '2026-12-31' } as const;
  await openPage({ ...ANA_WITH_SCHEDULE, scheduling_type: 'managed', books, booking_range });
  await screen.findByText('Your books are closed: nobody can book these times.');
  expect(Object.keys(previewedTimes())[0]).toBe('Saturday, December 5');
  type('From', '2026-12-01');
  expect(screen.queryByText(/^Your books are closed:/)).toBeNull();
});

test('a day can have several windows; hours past midnight are typed as one and stored as two', async () => {
  await openPage(CLOSED);
  await press('Open on Monday');
  await press('Add hours on Monday');
  type('Monday, hours 2, from', '20:00');
  type('Monday, hours 2, until', '00:00');
  await press('Open on Saturday');
  type('Saturday, from', '20:00');
  type('Saturday, until', '02:00');
  screen.getByText('Closed from 2:00 AM');
  const hint = screen.getByText('Until 2:00 AM the next day');
  expect(input('Saturday, until').getAttribute('aria-describedby')).toBe(hint.id);
  await save();
  expect([0, 5, 6].map((index) => me.schedule.weekly[index]?.windows)).toEqual([
    [
      { start: '10:00', end: '18:00' },
      { start: '20:00', end: '24:00' },
    ],
    [{ start: '20:00', end: '24:00' }],
    [{ start: '00:00', end: '02:00' }],
  ]);
  expect([input('Monday, hours 2, until').value, input('Saturday, until').value]).toEqual([
    '00:00',
    '02:00',
  ]);
  expect(screen.queryByLabelText('Sunday, from')).toBeNull();
});

test('a day off asks about the night before, which stays or ends at midnight', async () => {
  const night = [
    { weekday: 6, windows: [{ start: '20:00', end: '24:00' }] },
    { weekday: 7, windows: [{ start: '00:00', end: '02:00' }] },
  ];
  const { schedule } = ANA_WITH_SCHEDULE;
  await openPage({ ...ANA_WITH_SCHEDULE, schedule: { ...schedule, weekly: night } });
  const takeOff = async (answer: string) => {
    await press('Add days');
    type('First day', '2026-12-06');
    await userEvent.click(screen.getByLabelText(answer));
    await press('Add');
    await save();
  };
  await takeOff('stays open');
  screen.getByText('Day off from 2:00 AM');
  const sunday = { date: '2026-12-06', windows: [{ start: '00:00', end: '02:00' }] };
  expect(me.schedule.exceptions).toEqual([sunday]);
  await takeOff('ends at midnight');
  expect(input('Saturday, December 5, 2026, until').value).toBe('00:00');
  expect(me.schedule.exceptions.at(-1)).toEqual({ ...sunday, windows: [] });
});

test('the hours of a day are copied to other days, as another device has changed them meanwhile', async () => {
  await openPage();
  await press('Copy to… other days, from Tuesday');
  await userEvent.click(screen.getByRole('checkbox', { name: 'Friday' }));
  await userEvent.click(screen.getByRole('checkbox', { name: 'Sunday' }));
  const windows = [{ start: '09:00', end: '15:00' }];
  const weekly = me.schedule.weekly.map((day) => (day.weekday === 2 ? { ...day, windows } : day));
  me = { ...me, schedule: { ...me.schedule, weekly } };
  await act(async () => $me.revalidate());
  await waitFor(() => expect(input('Tuesday, from').value).toBe('09:00'));
  await press('Copy');
  await save();
  const copied = me.schedule.weekly.filter((day) => day.windows[0]?.end === '15:00');
  expect(copied.map(({ weekday }) => weekday)).toEqual([2, 5, 7]);
});

test('overlapping hours and hours that end as they start show errors and are not sent', async () => {
  await openPage();
  await press('Add hours on Monday');
  type('Monday, hours 2, from', '11:00');
  const overlap = await screen.findByText('Overlaps the hours above');
  expect(input('Monday, hours 2, from').getAttribute('aria-describedby')).toBe(overlap.id);
  type('Tuesday, until', '10:00');
  await screen.findByText('Must end after it starts');
  await press('Save');
  await waitFor(() => expect(document.activeElement).toBe(input('Monday, hours 2, from')));
  screen.getByText('Not saved yet');
  expect(input('Tuesday, until').value).toBe('10:00');
  expect(listWrites(calls)).toEqual([]);
  await press('Discard');
  expect(input('Tuesday, until').value).toBe('14:00');
});

test('the preview updates with each booking rule before saving', async () => {
  await openPage();
  const wednesday = 'Wednesday, December 2';
  expect(previewedTimes()[wednesday]).toEqual(['10:00 AM', '11:00 AM', '12:00 PM', '1:00 PM']);
  await userEvent.selectOptions(input('A start every'), 'other');
  type('A start every, in minutes', '25');
  expect(previewedTimes()[wednesday]?.slice(0, 2)).toEqual(['10:00 AM', '10:25 AM']);
  await userEvent.selectOptions(input('Kept free after each'), '30');
  await userEvent.selectOptions(input('Notice you need'), '2880');
  expect(previewedTimes()[wednesday]).toBeUndefined();
  await userEvent.click(screen.getByLabelText(/^Always the same number of days/));
  type('Days ahead', '6');
  expect((await screen.findAllByText('Cannot be booked yet')).length).toBeGreaterThan(1);
  await save();
  expect(me.schedule).toMatchObject({
    slot_interval_minutes: 25,
    buffer_minutes: 30,
    minimum_notice_minutes: 2880,
  });
  expect(me.booking_range).toEqual({ kind: 'rolling', days: 6 });
});

test('the notice of clients who cancel or move can be chosen, typed, or refused', async () => {
  await openPage();
  expect(input('Clients may cancel').value).toBe('48');
  expect(input('Clients may move').value).toBe('never');
  await userEvent.selectOptions(input('Clients may cancel'), 'Not by themselves');
  await userEvent.selectOptions(input('Clients may move'), 'Until the start');
  await save();
  expect(me.schedule).toMatchObject({
    client_cancel_notice_hours: null,
    client_move_notice_hours: 0,
  });
  await userEvent.selectOptions(input('Clients may cancel'), 'Another number of hours');
  await press('Save');
  await screen.findByText('Between 0 and 8760 hours');
  type('Clients may cancel, in hours', '12');
  await save();
  expect(me.schedule.client_cancel_notice_hours).toBe(12);
});

test('days off can be added as a range, which is one entry of the list', async () => {
  await openPage();
  await press('Add days');
  await press('Add');
  await screen.findByText('Enter a day');
  type('First day', '2026-12-04');
  type('Last day (optional)', '2026-12-06');
  await press('Add');
  await screen.findByText('Friday, December 4, 2026 – Sunday, December 6, 2026');
  // Once in the list, and on each of the three days of the preview.
  expect(screen.getAllByText('Day off')).toHaveLength(4);
  await save();
  expect(me.schedule.exceptions).toEqual(
    ['2026-12-04', '2026-12-05', '2026-12-06'].map((date) => ({ date, windows: [] })),
  );
});

test('appointments outside the new hours are listed before saving', async () => {
  answers['GET appointments/schedule'] = toListed(createAppointment({}));
  await openPage();
  type('Thursday, from', '12:00');
  await screen.findByText('1 appointment is outside these hours.');
  expect(screen.getByRole('link', { name: /10:00 AM, Rosa/ }).getAttribute('href')).toBe(
    `/studio/appointments?id=${createAppointment({}).id}`,
  );
});

test('hours that are not saved are restored after a reload and a new login, until they are saved', async () => {
  const navigate = vi.spyOn(window.location, 'replace').mockImplementation(() => {});
  await openPage();
  type('Monday, from', '08:00');
  answers['PATCH users/me/schedule'] = 'lost';
  await press('Save');
  await screen.findByText(/The connection was lost\./);
  await resetStudioPage();
  await openPage();
  expect(input('Monday, from').value).toBe('08:00');
  const readMe = answers['GET users/me'] ?? {};
  answers['GET users/me'] = problemResponse(401, 'Please log in');
  await press('Save');
  await waitFor(() => expect(navigate).toHaveBeenCalledWith('/login?next=%2Fstudio%2Fhours'));
  answers['GET users/me'] = readMe;
  startSession('another token');
  await waitFor(() => expect(input('Monday, from').value).toBe('08:00'));
  await save();
  await resetStudioPage();
  await openPage();
  expect(input('Monday, from').value).toBe('10:00');
});

test('books are closed and opened at once; only who sets the times can be open by dates', async () => {
  answers['PATCH users/me'] = ({ body }) => {
    const books = { ...me.books, state: null, ...Object(body['books']) };
    me = { ...me, books: { ...books, is_open: books.state !== 'closed' } };
    return me;
  };
  await openPage({ ...ANA_WITH_SCHEDULE, scheduling_type: 'managed' });
  const checked = () =>
    screen.getAllByRole('radio', { checked: true })[0]?.closest('label')?.textContent;
  expect(checked()).toMatch(/^Open on the days of/);
  await userEvent.click(screen.getByRole('radio', { name: /^Closed/ }));
  await screen.findByRole('heading', { name: 'Your books are closed' });
  await userEvent.click(screen.getByRole('radio', { name: 'Open' }));
  await screen.findByRole('heading', { name: 'Your books are open' });
  expect(checked()).toBe('Open');
  const sent = listWrites(calls).map(({ body }) => body);
  expect(sent).toEqual([{ books: { state: 'closed' } }, { books: { state: 'open' } }]);
});
