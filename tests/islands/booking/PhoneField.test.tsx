import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { FormProvider, useForm } from 'react-hook-form';
import { expect, test, vi } from 'vitest';
import { PhoneField } from '#islands/booking/PhoneField.tsx';

vi.mock('#islands/booking/CountryPhoneField.tsx', () => {
  throw new Error('The script did not load');
});

function Form() {
  return (
    <FormProvider {...useForm({ defaultValues: { phone_number: '' } })}>
      <PhoneField phoneRules={{ current: null }} />
    </FormProvider>
  );
}

test('the field says that an extension is not saved, and when the countries do not load, how to type the number', async () => {
  render(<Form />);
  const user = userEvent.setup();
  const phone = screen.getByLabelText<HTMLInputElement>('Phone number');
  await user.type(phone, '0170 1234567');
  const button = screen.getByRole('button', { name: 'Another country' });
  await user.click(button);
  expect(
    await screen.findByText(
      'The countries did not load. You can begin with + and the country code.',
    ),
  ).toBeTruthy();
  expect(phone.value).toBe('0170 1234567');
  expect(document.activeElement).toBe(button);
  await user.clear(phone);
  await user.type(phone, '212 555 0123 x42');
  screen.getByText('Extension 42 is not saved: write it in the notes.');
});
