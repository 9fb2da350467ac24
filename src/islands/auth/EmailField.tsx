import { TextField } from '../forms/fields.tsx';

/** The email that an artist logs in with. Password managers store it as the username. */
export function EmailField({ name }: { name: 'email' | 'username' }) {
  return (
    <TextField
      name={name}
      label="Email"
      type="email"
      autoComplete="username"
      spellCheck={false}
      required
    />
  );
}
