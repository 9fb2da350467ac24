/** A hidden field, from which password managers learn the account of a password form. */
export function PasswordManagerUsername({ email }: { email: string }) {
  return (
    <input type="email" name="username" autoComplete="username" value={email} readOnly hidden />
  );
}
