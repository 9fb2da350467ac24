import { act, render, renderHook, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { FormProvider } from 'react-hook-form';
import { describe, expect, it, vi } from 'vitest';
import type { AppointmentForm } from '#contract/appointment_form.ts';
import { DetailsFields } from '#islands/booking/DetailsFields.tsx';
import { useDetailsForm } from '#islands/booking/details_form.ts';
import { readBookingDraft, saveBookingDraft } from '#stores/booking_draft.ts';
import { BLANK_DETAILS } from '#stores/details.ts';

function Form({ onSave }: { onSave: (details: AppointmentForm) => void }) {
  const { form, phoneRules } = useDetailsForm('ana');
  return (
    <FormProvider {...form}>
      <form noValidate onSubmit={form.handleSubmit(onSave)}>
        <DetailsFields phoneRules={phoneRules} />
        <button type="submit">Save</button>
      </form>
    </FormProvider>
  );
}

function openForm() {
  const onSave = vi.fn<(details: AppointmentForm) => void>();
  render(<Form onSave={onSave} />);
  return { user: userEvent.setup(), onSave };
}

const phone = () => screen.getByLabelText<HTMLInputElement>('Phone number');
const email = () => screen.getByLabelText<HTMLInputElement>('Email (required)');
const button = (name: string) => screen.getByRole('button', { name });
const countrySelect = () => screen.findByLabelText<HTMLSelectElement>('Country of the number');
const openCountry = async (user: ReturnType<typeof userEvent.setup>, country: string) => {
  await user.click(button('Another country'));
  await user.selectOptions(await countrySelect(), country);
};
const draftedPhone = () => readBookingDraft('ana').details?.phone_number;
const describedBy = (input: HTMLElement) =>
  document.getElementById(input.getAttribute('aria-describedby') ?? '')?.textContent;

it('the form collects all criteria that a field breaks, and shows the first', async () => {
  const { result } = renderHook(() => useDetailsForm('ana'));
  const { setValue, trigger, getFieldState } = result.current.form;
  setValue('email', '');
  await act(() => trigger('email'));
  expect(getFieldState('email').error).toMatchObject({
    message: 'Email is required',
    types: { too_small: 'Email is required', custom: 'Invalid email address' },
  });
});

describe('the phone field', () => {
  it('shows +1 until the number begins with a plus, and keeps the focus', async () => {
    const { user } = openForm();
    expect(screen.getByText('+1')).toBeTruthy();
    await user.type(phone(), '+49 170 1234567');
    expect(screen.queryByText('+1')).toBeNull();
    expect(document.activeElement).toBe(phone());
  });

  it('turns a number that is dialled in another country into one with its code', async () => {
    const { user, onSave } = openForm();
    await user.click(button('Another country'));
    const select = await countrySelect();
    await waitFor(() => expect(document.activeElement === select).toBe(true));
    await user.selectOptions(select, 'Germany (+49)');
    expect(screen.getByText('+49')).toBeTruthy();
    await user.type(phone(), '0170 1234567');
    expect(phone().value).toBe('0170 1234567');
    expect(draftedPhone()).toBe('+49 170 1234567');
    await user.tab();
    expect(phone().value).toBe('+49 170 1234567');
    expect(screen.queryByText('+49')).toBeNull();
    await user.type(email(), 'rosa@example.com{Enter}');
    await waitFor(() => expect(onSave).toHaveBeenCalledOnce());
    expect(onSave.mock.lastCall?.[0].phone_number).toBe('+491701234567');
  });

  it('names the country that has no such number, and does not save the form', async () => {
    const { user, onSave } = openForm();
    await user.type(email(), 'rosa@example.com');
    await openCountry(user, 'Netherlands (+31)');
    // It would be a number in the US.
    await user.type(phone(), '2125550123{Enter}');
    await waitFor(() =>
      expect(describedBy(phone())).toBe('This is no phone number of this country: Netherlands.'),
    );
    expect(phone().value).toBe('2125550123');
    expect(draftedPhone()).toBe('+31 2125550123');
    expect(onSave).not.toHaveBeenCalled();
  });

  it('keeps the digits as they are typed while countries are chosen', async () => {
    const { user } = openForm();
    await openCountry(user, 'Germany (+49)');
    await user.type(phone(), '1701234567');
    for (const country of ['Austria (+43)', 'Netherlands (+31)', 'France (+33)', 'Germany (+49)'])
      await user.selectOptions(await countrySelect(), country);
    expect(draftedPhone()).toBe('+49 170 1234567');
    await user.click(button('Back to +1'));
    expect(phone().value).toBe('1701234567');
  });

  it('checks the contract’s rules only, once the client is back at +1', async () => {
    const { user, onSave } = openForm();
    await user.click(button('Another country'));
    await countrySelect();
    await user.click(button('Back to +1'));
    // No number of Germany, but a plausible one.
    await user.type(phone(), '+49 170 123456');
    await user.type(email(), 'rosa@example.com{Enter}');
    await waitFor(() => expect(onSave).toHaveBeenCalledOnce());
    expect(onSave.mock.lastCall?.[0].phone_number).toBe('+49170123456');
  });

  it('shows a restored number with its country code, and finds its country', async () => {
    saveBookingDraft('ana', { details: { ...BLANK_DETAILS, phone_number: '+49 170 1234567' } });
    const { user } = openForm();
    await waitFor(() => expect(phone().value).toBe('+49 170 1234567'));
    expect(screen.queryByText('+1')).toBeNull();
    await user.click(button('Another country'));
    expect((await countrySelect()).value).toBe('DE');
    expect(phone().value).toBe('+49 170 1234567');
  });
});

describe('the email field', () => {
  it('suggests the address with the right domain, and takes it over at one tap', async () => {
    const { user, onSave } = openForm();
    await user.type(email(), 'Rosa@gmial.com');
    expect(screen.queryByText(/Did you mean/)).toBeNull();
    await user.tab();
    await user.click(await screen.findByRole('button', { name: 'Did you mean Rosa@gmail.com?' }));
    expect(email().value).toBe('Rosa@gmail.com');
    expect(document.activeElement).toBe(email());
    expect(screen.queryByText(/Did you mean/)).toBeNull();
    await user.keyboard('{Enter}');
    await waitFor(() => expect(onSave).toHaveBeenCalledOnce());
    expect(onSave.mock.lastCall?.[0].email).toBe('Rosa@gmail.com');
  });

  it('saves the address as typed: a suggestion is not an error, and goes when the text changes', async () => {
    const { user, onSave } = openForm();
    await user.type(email(), 'rosa@gmial.com');
    await user.tab();
    await screen.findByText(/Did you mean/);
    expect(email().getAttribute('aria-invalid')).toBe('false');
    await user.type(email(), 'x');
    expect(screen.queryByText(/Did you mean/)).toBeNull();
    await user.type(email(), '{Backspace}{Enter}');
    await waitFor(() => expect(onSave).toHaveBeenCalledOnce());
    expect(onSave.mock.lastCall?.[0].email).toBe('rosa@gmial.com');
  });
});
