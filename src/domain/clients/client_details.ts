import type { PreferredContact } from '../appointments/appointment_choices.ts';

export const CLIENT_DETAIL_FIELDS = [
  'first_name',
  'last_name',
  'pronouns',
  'phone_number',
  'email',
  'preferred_contact',
] as const satisfies readonly (keyof ClientDetails)[];

export interface ClientDetails {
  readonly first_name: string | null;
  readonly last_name: string | null;
  readonly pronouns: string | null;
  readonly phone_number: string | null;
  readonly email: string | null;
  readonly preferred_contact: PreferredContact | null;
}

/** Takes the details out of an object with other fields. A missing detail becomes null. */
export function clientDetailsOf(
  from: {
    readonly [Field in keyof ClientDetails]?: ClientDetails[Field] | undefined;
  },
): ClientDetails {
  return {
    first_name: from.first_name ?? null,
    last_name: from.last_name ?? null,
    pronouns: from.pronouns ?? null,
    phone_number: from.phone_number ?? null,
    email: from.email ?? null,
    preferred_contact: from.preferred_contact ?? null,
  };
}
