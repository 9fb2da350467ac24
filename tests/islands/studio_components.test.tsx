import { render, renderHook, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { useSignupStep } from '#islands/auth/signup_step.ts';
import { Dialog } from '#islands/dialog/Dialog.tsx';
import { TextField } from '#islands/forms/fields.tsx';
import { Pagination } from '#islands/studio/Pagination.tsx';
import { SectionForm } from '#islands/studio/SectionForm.tsx';

const Person = z.object({ name: z.string(), city: z.string() });
type Person = z.output<typeof Person>;

let resolveSave: (saved: Person) => void = () => {};

function PersonForm() {
  const [saved] = useState<Person>({ name: 'Rosa', city: 'New York' });
  const onSave = () =>
    new Promise<Person>((resolve) => {
      resolveSave = resolve;
    });
  return (
    <SectionForm
      schema={Person}
      draftName="person"
      saved={saved}
      toValues={(person) => person}
      saveLabel="Save person"
      onSave={onSave}
    >
      <TextField name="name" label="Name" />
      <TextField name="city" label="City" />
    </SectionForm>
  );
}

const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label);
const savingButton = () => screen.findByRole<HTMLButtonElement>('button', { name: 'Saving…' });
const saveButton = () => screen.findByRole<HTMLButtonElement>('button', { name: 'Save person' });

test('changes made during a save stay in the form as unsaved', async () => {
  const user = userEvent.setup();
  render(<PersonForm />);
  await user.type(field('Name'), ' Q');
  await user.click(await saveButton());
  await savingButton();
  await user.type(field('City'), ' City');
  resolveSave({ name: 'Rosa Q', city: 'New York' });
  expect((await saveButton()).disabled).toBe(false);
  expect([field('Name').value, field('City').value]).toEqual(['Rosa Q', 'New York City']);
});

test('after a save the form shows the saved values and has no unsaved changes', async () => {
  const user = userEvent.setup();
  render(<PersonForm />);
  await user.type(field('Name'), '  ');
  await user.click(await saveButton());
  await savingButton();
  resolveSave({ name: 'Rosa', city: 'New York' });
  expect((await saveButton()).disabled).toBe(true);
  expect(field('Name').value).toBe('Rosa');
});

test('a page past the end of the list goes to the last page', () => {
  const skipChanges: unknown[] = [];
  const pager = (skip: number, count: number) => (
    <Pagination
      skip={skip}
      limit={25}
      count={count}
      label="clients"
      onSkipChange={(...change) => skipChanges.push(change)}
    />
  );
  const { rerender } = render(pager(25, 26));
  expect(screen.getByRole('status').textContent).toBe('26–26 of 26 clients');
  expect(skipChanges).toEqual([]);
  rerender(pager(25, 25));
  expect(skipChanges).toEqual([[0, true]]);
  expect(screen.queryByRole('status')).toBeNull();
});

test('a reload on the second sign-up step returns to the first without its history state', () => {
  history.replaceState('studio', '');
  const { result } = renderHook(() => useSignupStep());
  expect(result.current.step).toBe('account');
  expect(history.state).toBeNull();
});

test('a dialog does not take the focus from a field in use', async () => {
  const dialog = (more: string) => (
    <Dialog title="Person" onClose={() => {}}>
      {more !== '' && <input aria-label={more} />}
      <PersonForm />
    </Dialog>
  );
  const { rerender } = render(dialog(''));
  // As a screen reader does.
  field('City').focus();
  rerender(dialog('Loaded later'));
  await Promise.resolve();
  expect(document.activeElement).toBe(field('City'));
  await userEvent.type(field('City'), 'ab');
  expect(document.activeElement).toBe(field('City'));
});

test('the focus of a dialog begins in its title while its form is hidden, not on ×', async () => {
  const dialog = (isHidden: boolean) => (
    <Dialog title="Person" onClose={() => {}}>
      <div hidden={isHidden}>
        <PersonForm />
      </div>
    </Dialog>
  );
  const { rerender } = render(dialog(true));
  expect(document.activeElement?.textContent).toBe('Person');
  rerender(dialog(false));
  await waitFor(() => expect(document.activeElement).toBe(field('Name')));
});
