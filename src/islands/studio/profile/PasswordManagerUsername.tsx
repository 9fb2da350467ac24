/** Tells password managers whose password a form is about. */
export function PasswordManagerUsername({ email }: { email: string }) {
  return (
    <input type="email" name="username" autoComplete="username" value={email} readOnly hidden />
  );
}
