import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import CalendarIsland from '#islands/studio/calendar/CalendarIsland.tsx';
import { DaysDialog } from '#islands/studio/calendar/DaysDialog.tsx';
import { APPOINTMENT_ID, type ApiCall, zoneWithOffsets } from '#support/fake_api.ts';
import { createAppointment, toListed } from '#support/fake_schedule_api.ts';
import {
  ANA_WITH_SCHEDULE,
  findDialog,
  listWrites,
  openStudioPage,
  resetStudioPage,
} from '#support/fake_studio_api.ts';

const PAGE = '/studio/calendar';

let answers: Parameters<typeof openStudioPage>[1];
let calls: ApiCall[];

beforeEach(() => {
  answers = { 'GET appointments/schedule': toListed(createAppointment({})) };
});
afterEach(() => resetStudioPage());

/** Opens the calendar with these query parameters. */
function openPage(search: string): void {
  calls = openStudioPage(PAGE + search, answers);
  render(<CalendarIsland productName="Linework" />);
}

/** The fake API stores changes of Ana's hours. */
function storeHours(weekly = ANA_WITH_SCHEDULE.schedule.weekly): void {
  let me = { ...ANA_WITH_SCHEDULE, schedule: { ...ANA_WITH_SCHEDULE.schedule, weekly } };
  answers['GET users/me'] = () => me;
  answers['PATCH users/me/schedule'] = ({ body }) => {
    me = { ...me, schedule: { ...me.schedule, ...body } };
    return me;
  };
}

const entry = () => document.querySelector('.studio-calendar .entry')?.textContent;

/** Presses the first button of this name: narrow and wide layouts each have one. */
async function press(name: string): Promise<void> {
  const [first] = await screen.findAllByRole('button', { name });
  if (first) await userEvent.click(first);
}

test('the view is in the URL, which opens the calendar in the same view', async () => {
  openPage('?view=week&date=2026-12-03');
  await waitFor(() => expect(entry()).toContain('10:00 AM Rosa Quint'));
  const { query } = calls.find(({ path }) => path === 'appointments/schedule/') ?? {};
  expect(Object.fromEntries(query ?? [])).toEqual({
    start: '2026-11-28T10:00:00Z',
    end: '2026-12-07T11:59:00Z',
  });
  const before = history.length;
  await press('Month');
  await screen.findByRole('heading', { name: 'December 2026' });
  expect([location.search, history.length]).toEqual(['?view=month&date=2026-12-03', before]);
});

test.each([
  ['week', ['11:30 PM Rosa']],
  ['list', ['11:30 PM Rosa', 'until 1:30 AM Rosa']],
])('an appointment past midnight is in the %s as %j', async (view, expected) => {
  const night = { start: '2026-12-04T04:30:00Z', end: '2026-12-04T06:29:00Z' };
  answers['GET appointments/schedule'] = toListed(createAppointment(night));
  openPage(`?view=${view}&date=2026-12-03`);
  const texts = () =>
    [...document.querySelectorAll('.studio-calendar .entry')].map((one) => one.textContent);
  await waitFor(() =>
    expect(texts()).toEqual(expected.map((text) => expect.stringContaining(text))),
  );
});

test('a device in another time zone sees that all times are in the studio’s zone', async () => {
  const options = Intl.DateTimeFormat().resolvedOptions();
  vi.spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions').mockReturnValue({
    ...options,
    timeZone: 'Asia/Tokyo',
  });
  openPage('?view=day&date=2026-12-03');
  const zone = await screen.findByText('Eastern Time (New York)');
  expect(zone.parentElement?.textContent).toBe(
    'Times in Eastern Time (New York), your studio’s. This device is in Japan Time (Tokyo).',
  );
  await waitFor(() => expect(entry()).toContain('10:00 AM'));
});

test.each(['Asia/Tokyo', 'America/New_York', 'Australia/Lord_Howe'])(
  'in %s, a day off is marked on its own day in week and month',
  async (time_zone) => {
    answers['GET users/me'] = {
      ...ANA_WITH_SCHEDULE,
      studio: { ...ANA_WITH_SCHEDULE.studio, ...zoneWithOffsets(time_zone) },
      schedule: {
        ...ANA_WITH_SCHEDULE.schedule,
        exceptions: [
          { date: '2026-12-10', windows: [] },
          { date: '2026-12-11', windows: [{ start: '20:00', end: '24:00' }] },
          { date: '2026-12-12', windows: [{ start: '00:00', end: '02:00' }] },
        ],
      },
    };
    openPage('?view=month&date=2026-12-10');
    const [offInMonth] = await screen.findAllByText('Day off');
    expect(offInMonth?.closest('.day-name')?.textContent).toBe('10Day off');
    expect(offInMonth?.closest('[data-date]')?.getAttribute('data-date')).toBe('2026-12-10');
    expect(
      Array.from(document.querySelectorAll('.kind-off'), (cell) => cell.getAttribute('data-date')),
    ).toEqual(['2026-12-10', '2026-12-12']);
    await press('Week');
    const [offInWeek] = await screen.findAllByText('Day off');
    expect(offInWeek?.closest('.day-name')?.textContent).toBe('Thu 10Day off');
    const [afterNight] = await screen.findAllByText('Day off from 2:00 AM');
    expect(afterNight?.closest('.day-name')?.textContent).toBe('Sat 12Day off from 2:00 AM');
  },
);

test('an appointment can be moved in its dialog', async () => {
  answers[`PATCH appointments/${APPOINTMENT_ID}`] = createAppointment({});
  openPage('?view=day&date=2026-12-03');
  await waitFor(() => expect(entry()).toContain('10:00 AM'));
  await userEvent.click(await screen.findByText('Rosa Quint'));
  const dialog = await findDialog('Rosa Quint');
  dialog.getByText(/10:00 AM - 11:00 AM/);
  expect(document.activeElement?.textContent).toBe('Open appointment');
  await press('Move to another time');
  fireEvent.change(screen.getByLabelText('Start'), { target: { value: '12:00' } });
  await press('Move it');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(listWrites(calls).map(({ body }) => body['start'])).toEqual([
    { local: '2026-12-03T12:00' },
  ]);
});

test('a time past midnight is of the next date, but the day to take off is that of its night', () => {
  openStudioPage(PAGE, answers);
  const days = { first: '2026-12-04', last: '2026-12-04', start: '2026-12-05T00:30' };
  render(<DaysDialog me={ANA_WITH_SCHEDULE} selectedDays={days} onClose={() => {}} />);
  screen.getByText('Friday, December 4, 2026');
  const link = screen.getByRole('link', {
    name: 'Enter an appointment at 12:30 AM on Saturday, December 5',
  });
  expect(link.getAttribute('href')).toBe('/studio/appointments?enter=2026-12-05T00:30');
});

test('a day can be taken off, with the end of the night before or without it, which lists who is booked, and reopened', async () => {
  storeHours([
    { weekday: 3, windows: [{ start: '20:00', end: '24:00' }] },
    {
      weekday: 4,
      windows: [
        { start: '00:00', end: '02:00' },
        { start: '10:00', end: '14:00' },
      ],
    },
  ]);
  openPage('?view=day&date=2026-12-03');
  const takeOff = async (answer: string) => {
    await screen.findByText('Open 10:00 AM – 2:00 PM.');
    await press('Add');
    const dialog = await findDialog('Thursday, December 3, 2026');
    expect(document.activeElement).toBe(dialog.getByLabelText('Day'));
    await dialog.findByText('1 appointment stays on this day:');
    const link = dialog.getByRole('link', { name: 'Thu, Dec 3, 10:00 AM: Rosa Quint' });
    expect(link.getAttribute('href')).toBe(`/studio/appointments?id=${APPOINTMENT_ID}`);
    await userEvent.click(screen.getByLabelText(answer));
    await press('Take this day off');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  };
  const reopen = async () => {
    await press('Add');
    await press('Open this day again');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  };
  await takeOff('stays open');
  screen.getByText('You have this day off from 2:00 AM.');
  await reopen();
  await takeOff('ends at midnight');
  screen.getByText('You have this day off.');
  await reopen();
  expect(listWrites(calls).map(({ body }) => Object(body['exceptions']).at(-1) ?? null)).toEqual([
    { date: '2026-12-03', windows: [{ start: '00:00', end: '02:00' }] },
    null,
    { date: '2026-12-03', windows: [] },
    null,
  ]);
  await press('See the night of Wednesday, December 2');
  await screen.findByText('Open 8:00 PM – 2:00 AM.');
});
