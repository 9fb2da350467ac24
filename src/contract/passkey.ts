/** Passkeys: keys of WebAuthn (W3C) with which an artist logs in instead of a password. */
import * as z from 'zod/mini';
import { Id, namedInput, namedObject, requiredSecret, TimestampOutput } from './common.ts';

export const Passkey = namedObject('Passkey', {
  id: Id,
  browser: z.nullable(z.string()).check(
    z.meta({
      description: 'The browser in which it was made; null if unknown',
      examples: ['Chrome on Android'],
    }),
  ),
  created_at: TimestampOutput,
  last_used_at: z.nullable(TimestampOutput),
});
export type Passkey = z.output<typeof Passkey>;

/** Adding a passkey takes the password: a stolen token must not add one. */
export const PasskeyRequest = namedInput('PasskeyRequest', {
  current_password: requiredSecret('Password is required'),
});

const CredentialDescriptor = z.object({
  type: z.literal('public-key'),
  id: z.string(),
});

/** The options with which a browser makes a passkey: `PublicKeyCredentialCreationOptionsJSON` of WebAuthn. */
export const PasskeyCreationOptions = namedObject('PasskeyCreationOptions', {
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  challenge: z.string(),
  pubKeyCredParams: z.array(z.object({ type: z.literal('public-key'), alg: z.number() })),
  timeout: z.number(),
  excludeCredentials: z.array(CredentialDescriptor),
  authenticatorSelection: z.object({
    residentKey: z.literal('required'),
    requireResidentKey: z.boolean(),
    userVerification: z.literal('required'),
  }),
  attestation: z.literal('none'),
});
export type PasskeyCreationOptions = z.output<typeof PasskeyCreationOptions>;

/** The options with which a browser logs in: `PublicKeyCredentialRequestOptionsJSON` of WebAuthn. */
export const PasskeyLoginOptions = namedObject('PasskeyLoginOptions', {
  rpId: z.string(),
  challenge: z.string(),
  timeout: z.number(),
  userVerification: z.literal('required'),
});
export type PasskeyLoginOptions = z.output<typeof PasskeyLoginOptions>;

/** Bytes in base64url. */
const Bytes = z.string().check(z.minLength(1), z.maxLength(20_000), z.regex(/^[\w-]+$/));

const credentialFields = {
  id: Bytes,
  rawId: Bytes,
  type: z.literal('public-key'),
};

/** The new passkey, as `RegistrationResponseJSON` of WebAuthn. Other fields of it are ignored. */
export const NewPasskey = namedObject('NewPasskey', {
  ...credentialFields,
  response: z.object({
    clientDataJSON: Bytes,
    attestationObject: Bytes,
  }),
});
export type NewPasskey = z.output<typeof NewPasskey>;

/** A login, as `AuthenticationResponseJSON` of WebAuthn. Other fields of it are ignored. */
export const PasskeyLogin = namedObject('PasskeyLogin', {
  ...credentialFields,
  response: z.object({
    clientDataJSON: Bytes,
    authenticatorData: Bytes,
    signature: Bytes,
    userHandle: z.optional(Bytes),
  }),
});
export type PasskeyLogin = z.output<typeof PasskeyLogin>;
