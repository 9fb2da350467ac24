import * as z from 'zod/mini';
import { emailError } from '#domain/mail/email.ts';
import { MAX_REMINDERS, REMINDER_HOURS_CHOICES } from '#domain/mail/mail.ts';
import { PUBLIC_EMAIL_KINDS, SCHEDULING_TYPES } from '#domain/studio/artist.ts';
import { parseSocialHandle, type SocialNetwork } from '#domain/studio/social.ts';
import { ZONE_CHANGE_MODES } from '#domain/studio/studio_change.ts';
import { MAX_STYLES, STYLES } from '#domain/studio/style.ts';
import { isCountry } from '#domain/time/country.ts';
import {
  accountFields,
  FullName,
  Password,
  SignupStudio,
  StudioName,
  studioFields,
  Username,
} from './account_form.ts';
import { Subscription } from './billing.ts';
import { BooksChange, BooksStatus, OwnBooks } from './books.ts';
import {
  AccountSearchText,
  Email,
  Id,
  namedInput,
  namedObject,
  optionalText,
  PageQuery,
  requiredSecret,
  TimestampOutput,
  TimeZone,
  trimmedText,
  ZoneOffsets,
} from './common.ts';
import { ImageSource } from './image.ts';
import { ownerProofFields } from './owner_proof.ts';
import { Currency, Money, MoneyInput } from './price.ts';
import { BookingRange, Schedule } from './schedule.ts';
import { maxLength } from './text_fields.ts';

export const Studio = namedObject('Studio', {
  name: z.string(),
  address_one: z.string(),
  address_two: z.nullable(z.string()),
  city: z.string(),
  state: z.string(),
  zip_code: z.string(),
  time_zone: z.string(),
  offsets: ZoneOffsets,
});
export type Studio = z.output<typeof Studio>;

export const ZoneQuery = z.object({ time_zone: TimeZone });

/** Another zone for a studio, for the time that the offsets of the studio cover. */
export const OtherZone = namedObject('OtherZone', { time_zone: z.string(), offsets: ZoneOffsets });
export type OtherZone = z.output<typeof OtherZone>;

/** At most `max` of the choices, each once. */
function choices<const T extends readonly (string | number)[]>(all: T, max: number) {
  return z.array(z.literal(all)).check(
    z.maxLength(max, `Choose at most ${max}`),
    z.refine((chosen) => new Set(chosen).size === chosen.length, 'Choose each only once'),
  );
}

const Styles = choices(STYLES, MAX_STYLES).check(
  z.describe('The styles that the artist works in, by which visitors find them on Explore'),
);

/** An empty list turns reminders off. */
const ReminderHours = choices(REMINDER_HOURS_CHOICES, MAX_REMINDERS).check(
  z.describe('How many hours before an appointment its client is reminded'),
);

/** The public data of an artist. */
export const Artist = namedObject('Artist', {
  id: Id,
  username: z.string(),
  full_name: z.string(),
  avatar_url: z.nullable(z.string()),
  avatar_sources: z
    .array(ImageSource)
    .check(z.describe('The avatar in other widths; empty without an avatar')),
  email: z
    .nullable(z.string())
    .check(z.describe('The email on the page of the artist; null if they show none')),
  facebook_url: z.nullable(z.string()),
  instagram_url: z.nullable(z.string()),
  about_me: z.nullable(z.string()),
  styles: Styles,
  scheduling_type: z
    .nullable(z.enum(SCHEDULING_TYPES))
    .check(z.describe('null while sign-up is incomplete')),
  studio: Studio,
  taking_bookings: z
    .boolean()
    .check(
      z.describe('Whether clients may book or send requests now: false while books are closed'),
    ),
  books: BooksStatus,
});
export type Artist = z.output<typeof Artist>;

/** An artist in the public list, with the pictures to show there. */
export const ArtistListItem = namedObject('ListedArtist', {
  username: z.string(),
  scheduling_type: z.enum(SCHEDULING_TYPES),
  avatar_url: z.nullable(z.string()),
  design_urls: z.array(z.string()).check(z.describe('Pictures of the first available designs')),
  design_ids: z.array(Id).check(z.describe('The designs of `design_urls`, in their order')),
  portfolio_urls: z.array(z.string()).check(z.describe('The first pictures of the portfolio')),
});
export type ArtistListItem = z.output<typeof ArtistListItem>;

/** The email that the artist's page shows: that of the account, another one, or none. */
export const PublicEmail = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('account') }),
  z.strictObject({ kind: z.literal('other'), email: Email }),
  z.strictObject({ kind: z.literal('none') }),
]);
export type PublicEmail = z.output<typeof PublicEmail>;

/** The form of a `PublicEmail`: a choice, and a field that counts only for `other`. */
export const PublicEmailForm = z
  .object({ kind: z.enum(PUBLIC_EMAIL_KINDS), other_email: z.string().check(z.trim()) })
  .check(({ value: { kind, other_email }, issues }) => {
    if (kind !== 'other') return;
    const message = other_email === '' ? 'Email is required' : emailError(other_email);
    if (message !== null)
      issues.push({ code: 'custom', path: ['other_email'], input: other_email, message });
  });

/** The signed-in artist. */
export const CurrentArtist = namedObject('ArtistSelf', {
  ...Artist.shape,
  email: z.string().check(z.describe('The email of the account, with which the artist logs in')),
  public_email: PublicEmail,
  books: OwnBooks,
  schedule: Schedule,
  booking_range: BookingRange,
  is_active: z.boolean(),
  is_superuser: z.boolean(),
  reminder_hours: ReminderHours,
  confirm_by_mail: z
    .boolean()
    .check(z.describe('Whether clients confirm only with the mailed link')),
  is_listed: z.boolean().check(z.describe('Whether the artist may appear on the Explore page')),
  email_proven: z
    .boolean()
    .check(z.describe('Whether the artist has used the link that was mailed to their email')),
  pending_email: z
    .nullable(z.string())
    .check(z.describe('A new email whose link has not been used yet')),
  country: z
    .nullable(z.string())
    .check(
      z.describe(
        'Of the studio (ISO 3166-1 alpha-2); unless it is set, by the time zone; null if the zone has no country',
      ),
    ),
  currency: z
    .string()
    .check(z.describe('Of new prices (ISO 4217); unless it is set, that of the country')),
  booking_policy: z
    .string()
    .check(z.describe('What clients read before they book; empty without a policy')),
  deposit: z.nullable(Money).check(z.describe('What clients are expected to pay in advance')),
  subscription: z.nullable(Subscription).check(z.describe('null while billing is off')),
  created_at: TimestampOutput,
});
export type CurrentArtist = z.output<typeof CurrentArtist>;

function socialHandle(network: SocialNetwork) {
  const toHandle = (typed: string) => parseSocialHandle(network, typed);
  const isHandle = (typed: string) => typed === '' || toHandle(typed) !== null;
  const text = z.string().check(z.trim(), maxLength(300), z.refine(isHandle, 'Not a handle'));
  return z.nullable(z.pipe(text, z.transform(toHandle)));
}

/** Options of a change of the studio: allowed only with an address or a time zone that differs from the present. */
const studioChangeFields = {
  tell_clients: z.optional(
    z
      .boolean()
      .check(
        z.describe(
          'Whether clients with confirmed appointments ahead are mailed about a new address or time zone; false unless set. The mails wait until the change can no longer be undone.',
        ),
      ),
  ),
  keep: z.optional(
    z
      .enum(ZONE_CHANGE_MODES)
      .check(
        z.describe(
          'What upcoming appointments keep in a new time zone: `moments` (unless set), or `clock_times`, which are other moments there',
        ),
      ),
  ),
};

const MAX_POLICY_LENGTH = 1000;

const Country = z
  .string()
  .check(
    z.trim(),
    z.toUpperCase(),
    z.refine(isCountry, 'Must be a country of ISO 3166-1, such as US'),
  );

/** Fields left out keep their value. Handles may be `handle`, `@handle` or a profile link. */
export const ArtistChanges = z.strictObject({
  full_name: z.optional(FullName),
  username: z.optional(Username),
  email: z.optional(Email),
  public_email: z.optional(PublicEmail),
  about_me: z.optional(optionalText(5000)),
  styles: z.optional(Styles),
  facebook: z.optional(socialHandle('facebook')),
  instagram: z.optional(socialHandle('instagram')),
  scheduling_type: z.optional(z.nullable(z.enum(SCHEDULING_TYPES))),
  studio: z.optional(z.partial(z.strictObject({ name: StudioName, ...studioFields }))),
  ...studioChangeFields,
  reminder_hours: z.optional(ReminderHours),
  confirm_by_mail: z.optional(z.boolean()),
  is_listed: z.optional(z.boolean()),
  country: z.optional(z.nullable(Country)),
  currency: z
    .optional(z.nullable(Currency))
    .check(z.describe('null: that of the country. Prices that are set keep their currency')),
  booking_policy: z.optional(trimmedText(MAX_POLICY_LENGTH)),
  deposit: z.optional(z.nullable(MoneyInput)),
  books: z
    .optional(BooksChange)
    .check(z.describe('Whether clients can begin bookings and requests; null: nothing is set')),
});
export type ArtistChanges = z.output<typeof ArtistChanges>;

export const OwnArtistChanges = z.extend(ArtistChanges, {
  current_password: z
    .optional(requiredSecret('Password is required'))
    .check(z.describe('Required with a new `email`')),
});
export type OwnArtistChanges = z.output<typeof OwnArtistChanges>;

/** The form of a new email. */
export const EmailChangeForm = z.object({
  email: Email,
  current_password: requiredSecret('Password is required'),
});

export const PasswordChange = z.strictObject({
  current_password: requiredSecret('Password is required'),
  new_password: Password,
});
export type PasswordChange = z.output<typeof PasswordChange>;

/** The account that a superuser creates. */
export const NewArtist = namedInput('NewArtist', {
  ...accountFields,
  password: Password,
  ...SignupStudio.shape,
  is_active: z._default(z.boolean(), true),
  is_superuser: z._default(z.boolean(), false),
});
export type NewArtist = z.output<typeof NewArtist>;

export const AccountQuery = z.extend(PageQuery, { search: AccountSearchText });
export type AccountQuery = z.output<typeof AccountQuery>;

/** The call that creates an account: a superuser's only with the caller's password or passkey. */
export const SuperuserNewArtist = z.extend(NewArtist, ownerProofFields);

/** The call of a superuser that changes an account. Fields left out keep their value. */
export const SuperuserArtistChanges = z.extend(ArtistChanges, {
  ...ownerProofFields,
  password: z.optional(Password),
  is_active: z.optional(z.boolean()),
  is_superuser: z.optional(z.boolean()),
});
/** The changes alone, without the caller's proof. */
export type SuperuserArtistChanges = Omit<
  z.output<typeof SuperuserArtistChanges>,
  keyof typeof ownerProofFields
>;
