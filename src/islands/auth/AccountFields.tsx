import { useWatch } from 'react-hook-form';
import { toUsername } from '#domain/accounts/typed_username.ts';
import { TextField } from '../forms/fields.tsx';
import { EmailField } from './EmailField.tsx';
import { NewPasswordFields } from './NewPasswordFields.tsx';

/** Step 1 of the signup: the artist. */
export function AccountFields({ siteUrl }: { siteUrl: string }) {
  const typed: unknown = useWatch({ name: 'username' });
  const username = typeof typed === 'string' ? toUsername(typed) : '';
  return (
    <>
      <TextField name="full_name" label="Full name" autoComplete="name" required />
      <TextField
        name="username"
        label="Username"
        hint={`Your page will be ${siteUrl.replace(/^https?:\/\//, '')}/${username || 'username'}`}
        autoComplete="nickname"
        autoCapitalize="none"
        spellCheck={false}
        required
      />
      <EmailField name="email" />
      <NewPasswordFields name="password" label="Password" />
    </>
  );
}
