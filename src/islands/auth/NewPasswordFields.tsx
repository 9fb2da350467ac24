import { PasswordField } from '../forms/PasswordField.tsx';

/** A new password, and `confirm_password`, in which it is typed once more. */
export function NewPasswordFields({ name, label }: { name: string; label: string }) {
  return (
    <>
      <PasswordField name={name} label={label} hint="At least 8 characters." kind="new" />
      <PasswordField name="confirm_password" label="Confirm password" kind="new" />
    </>
  );
}
