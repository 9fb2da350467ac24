import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { FormProvider, useForm } from 'react-hook-form';
import { afterEach, expect, test } from 'vitest';
import { TimeZoneField } from '#islands/forms/TimeZoneField.tsx';

afterEach(cleanup);

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

/** The form with its field in focus. */
async function open() {
  const user = userEvent.setup();
  render(<ZoneForm />);
  await user.click(zone());
  return user;
}

/** All of the text is selected on focus, so typing replaces it. */
function type(value: string): void {
  fireEvent.change(zone(), { target: { value } });
}

test('the whole list opens until something is typed', async () => {
  await open();
  expect(zone().value).toBe('America/New York');
  expect(options().length).toBeGreaterThan(100);
});

test('a zone is found by a part of its name in any case of letters, and taken with Enter', async () => {
  const user = await open();
  type('los ANGELES');
  expect(options()).toEqual(['America/Los Angeles']);
  await user.keyboard('{Enter}');
  expect(zone().value).toBe('America/Los Angeles');
});

test('a zone is taken with a click', async () => {
  const user = await open();
  type('berlin');
  await user.click(screen.getByRole('option', { name: 'Europe/Berlin' }));
  expect(zone().value).toBe('Europe/Berlin');
});

test.each([
  ['europe/berlin', 'Europe/Berlin'],
  ['America/Los_Angeles', 'America/Los Angeles'],
])('a name that is typed out, such as %s, is chosen at once', async (name, shown) => {
  const user = await open();
  type(name);
  expect(options()).toEqual([]);
  await user.tab();
  expect(zone().value).toBe(shown);
});

test('a name that no zone has says so, and leaving it brings back the zone of before', async () => {
  const user = await open();
  type('gotham');
  expect(screen.getByText(/No time zone is called that/)).toBeTruthy();
  await user.tab();
  expect(zone().value).toBe('America/New York');
  await user.click(zone());
  type('gotham');
  await user.keyboard('{Escape}');
  await user.tab();
  expect(zone().value).toBe('America/New York');
});

test('a name that is left half typed becomes the first zone found', async () => {
  const user = await open();
  type('tokyo');
  await user.tab();
  expect(zone().value).toBe('Asia/Tokyo');
});
