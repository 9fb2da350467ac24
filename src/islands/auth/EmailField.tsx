import { TextField } from '../forms/fields.tsx';

/** The email that an artist logs in with: for password managers it is the username. */
export function EmailField({ name }: { name: 'email' | 'username' }) {
  return (
    <TextField
      name={name}
      label="Email"
      type="email"
      inputMode="email"
      autoComplete="username"
      autoCapitalize="none"
      spellCheck={false}
      required
    />
  );
}
