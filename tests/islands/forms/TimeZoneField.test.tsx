import { fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { FormProvider, useForm } from 'react-hook-form';
import { expect, test, vi } from 'vitest';
import { currentZoneName } from '#domain/time/current_zone_name.ts';
import { TimeZoneField } from '#islands/forms/TimeZoneField.tsx';

function ZoneForm() {
  const form = useForm({ defaultValues: { zone: 'America/New_York' } });
  return (
    <FormProvider {...form}>
      <TimeZoneField name="zone" label="Time zone" />
      <input aria-label="City" />
    </FormProvider>
  );
}

const zone = () => screen.getByRole<HTMLInputElement>('combobox', { name: 'Time zone' });
const options = () => screen.queryAllByRole('option').map(({ textContent }) => textContent);

/** Renders the form and focuses its field. */
async function openField() {
  const user = userEvent.setup();
  render(<ZoneForm />);
  await user.click(zone());
  return user;
}

/** Replaces the text, as typing does: focus has selected all of it. */
function type(value: string): void {
  fireEvent.change(zone(), { target: { value } });
}

test.each<[string, (user: ReturnType<typeof userEvent.setup>) => Promise<void>]>([
  ['Enter', (user) => user.keyboard('{Enter}')],
  ['a click', (user) => user.click(screen.getByRole('option'))],
])(
  'a time zone is found by part of its name, ignoring case, and chosen with %s',
  async (_, choose) => {
    const user = await openField();
    type('los ANGELES');
    expect(options()).toEqual(['America/Los_Angeles']);
    await choose(user);
    expect(zone().value).toBe('America/Los_Angeles');
  },
);

test('the list begins with the chosen zone, the device’s, and those of its language’s country', async () => {
  vi.spyOn(navigator, 'language', 'get').mockReturnValue('de');
  const user = await openField();
  await user.keyboard('{ArrowDown}');
  const device = currentZoneName(new Intl.DateTimeFormat().resolvedOptions().timeZone);
  const first = [...new Set(['America/New_York', device, 'Europe/Berlin', 'Europe/Busingen'])];
  expect(options().slice(0, first.length)).toEqual(first);
  const others = options().slice(first.length);
  expect(others).toEqual(others.toSorted());
});

test.each(['C', 'tlh'])(
  'a browser of the language %j, of no country, lists all zones',
  async (language) => {
    vi.spyOn(navigator, 'language', 'get').mockReturnValue(language);
    const user = await openField();
    await user.keyboard('{ArrowDown}');
    expect(options().length).toBeGreaterThan(100);
  },
);

test('a complete name is chosen without the list', async () => {
  const user = await openField();
  type('america/los angeles');
  expect(options()).toEqual([]);
  await user.tab();
  expect(zone().value).toBe('America/Los_Angeles');
});

test.each(['{Tab}', '{Escape}{Escape}{Tab}'])(
  'an unknown name shows a message, and %s restores the previous time zone',
  async (keys) => {
    const user = await openField();
    type('gotham');
    expect(screen.getByText(/No time zone is called that/)).toBeTruthy();
    await user.keyboard(keys);
    expect(zone().value).toBe('America/New_York');
  },
);

test.each([
  ['tokyo', 'Asia/Tokyo'],
  ['mumbai', 'Asia/Kolkata'],
  ['tok', 'America/New_York'],
  ['brazil', 'America/New_York'],
  ['cst', 'America/New_York'],
])('Tab after “%s” leaves %s: only an exact name of one zone is chosen', async (typed, shown) => {
  const user = await openField();
  await vi.dynamicImportSettled();
  type(typed);
  expect(options()).not.toEqual([]);
  await user.tab();
  expect(zone().value).toBe(shown);
  expect(document.activeElement?.ariaLabel).not.toBe('Time zone');
});

test('the list that is opened after a name was typed in full highlights that zone', async () => {
  const user = await openField();
  type('Europe/Berlin');
  await user.click(zone());
  expect(options().length).toBeGreaterThan(100);
  await user.keyboard('{Enter}');
  expect(zone().value).toBe('Europe/Berlin');
});

test('zones have their present names, and the list is no stop of Tab', async () => {
  await openField();
  expect(options()).toEqual(expect.arrayContaining(['Europe/Kyiv', 'Asia/Kolkata']));
  expect(options()).not.toContain('Europe/Kiev');
  expect(screen.getByRole('listbox').tabIndex).toBe(-1);
});
