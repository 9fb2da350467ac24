import { cleanup, render, renderHook, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { useSignupStep } from '#islands/auth/signup_step.ts';
import { TextField } from '#islands/forms/fields.tsx';
import { useValidatedForm } from '#islands/forms/validated_form.ts';
import { Pagination } from '#islands/studio/Pagination.tsx';
import { SectionForm } from '#islands/studio/SectionForm.tsx';

afterEach(() => {
  cleanup();
  history.replaceState(null, '');
});

const Person = z.object({ name: z.string(), city: z.string() });
type Person = z.output<typeof Person>;

let answer: (saved: Person) => void = () => {};

function PersonForm() {
  const [saved] = useState<Person>({ name: 'Rosa', city: 'New York' });
  const form = useValidatedForm(Person, saved);
  const onSave = () =>
    new Promise<Person>((resolve) => {
      answer = resolve;
    });
  return (
    <SectionForm
      form={form}
      draftName="person"
      savedValues={saved}
      saveLabel="Save person"
      onSave={onSave}
    >
      <TextField name="name" label="Name" />
      <TextField name="city" label="City" />
    </SectionForm>
  );
}

const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label);
const saving = () => screen.findByRole<HTMLButtonElement>('button', { name: 'Saving…' });
const save = () => screen.findByRole<HTMLButtonElement>('button', { name: 'Save person' });

test('what is typed while a form is being saved stays, and is not saved yet', async () => {
  const user = userEvent.setup();
  render(<PersonForm />);
  await user.type(field('Name'), ' Q');
  await user.click(await save());
  await saving();
  await user.type(field('City'), ' City');
  answer({ name: 'Rosa Q', city: 'New York' });
  expect((await save()).disabled).toBe(false);
  expect([field('Name').value, field('City').value]).toEqual(['Rosa Q', 'New York City']);
});

test('a form shows what was saved, and has nothing more to save', async () => {
  const user = userEvent.setup();
  render(<PersonForm />);
  await user.type(field('Name'), '  ');
  await user.click(await save());
  await saving();
  answer({ name: 'Rosa', city: 'New York' });
  expect((await save()).disabled).toBe(true);
  expect(field('Name').value).toBe('Rosa');
});

test('a page that is no more gives way to the last one', () => {
  const turned: unknown[] = [];
  const pager = (skip: number, count: number) => (
    <Pagination
      skip={skip}
      limit={25}
      count={count}
      label="clients"
      onSkipChange={(...to) => turned.push(to)}
    />
  );
  const { rerender } = render(pager(25, 26));
  expect(screen.getByRole('status').textContent).toBe('26–26 of 26 clients');
  expect(turned).toEqual([]);
  rerender(pager(25, 25));
  expect(turned).toEqual([[0, true]]);
  expect(screen.queryByRole('status')).toBeNull();
});

test('after a reload on the second step of signing up, the first has nothing to go back to', () => {
  history.replaceState('studio', '');
  const { result } = renderHook(() => useSignupStep());
  expect(result.current.step).toBe('account');
  expect(history.state).toBeNull();
});
