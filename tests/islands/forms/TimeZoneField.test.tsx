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

test('a time zone is found by part of its name, ignoring case, and chosen with Enter', async () => {
  const user = await openField();
  type('los ANGELES');
  expect(options()).toEqual(['America/Los_Angeles']);
  await user.keyboard('{Enter}');
  expect(zone().value).toBe('America/Los_Angeles');
});

test('a time zone is chosen with a click', async () => {
  const user = await openField();
  type('berlin');
  await user.click(screen.getByRole('option', { name: 'Europe/Berlin' }));
  expect(zone().value).toBe('Europe/Berlin');
});

test.each([
  ['europe/berlin', 'Europe/Berlin'],
  ['america/los angeles', 'America/Los_Angeles'],
])('a complete name such as %s is chosen without the list', async (name, shown) => {
  const user = await openField();
  type(name);
  expect(options()).toEqual([]);
  await user.tab();
  expect(zone().value).toBe(shown);
});

test('an unknown name shows a message, and blur restores the previous time zone', async () => {
  const user = await openField();
  type('gotham');
  expect(screen.getByText(/No time zone is called that/)).toBeTruthy();
  await user.tab();
  expect(zone().value).toBe('America/New_York');
  await user.click(zone());
  type('gotham');
  await user.keyboard('{Escape}');
  await user.tab();
  expect(zone().value).toBe('America/New_York');
});

test('blur after part of a name chooses the first match', async () => {
  const user = await openField();
  type('tokyo');
  await user.tab();
  expect(zone().value).toBe('Asia/Tokyo');
});
