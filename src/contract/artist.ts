import * as z from 'zod/mini';
import { SCHEDULING_TYPES } from '#domain/artist.ts';
import { MAX_REMINDERS, REMINDER_HOURS_CHOICES } from '#domain/mail.ts';
import { parseSocialHandle, type SocialNetwork } from '#domain/social.ts';
import { isReservedUsername, USERNAME_PATTERN } from '#domain/username.ts';
import { Subscription } from './billing.ts';
import {
  Email,
  Id,
  optionalText,
  PageQuery,
  requiredText,
  SearchText,
  TimestampOutput,
  TimeZone,
} from './common.ts';
import { ImageSource } from './image.ts';
import { BookingRange, Schedule } from './schedule.ts';

const Username = z.string('Username is required').check(
  z.trim(),
  z.toLowerCase(),
  z.minLength(1, 'Username is required'),
  z.minLength(3, 'Must be at least 3 characters'),
  z.maxLength(30, 'Must be at most 30 characters'),
  z.regex(
    USERNAME_PATTERN,
    'Use letters, digits, dots, dashes and underscores, with a letter or digit at both ends, and no ending such as .com or .ink',
  ),
  z.refine((username) => !isReservedUsername(username), 'This username is not available'),
  z.meta({ examples: ['rosa_ink'] }),
);

export const Password = z
  .string('Password is required')
  .check(
    z.minLength(1, 'Password is required'),
    z.minLength(8, 'Password must be at least 8 characters'),
    z.maxLength(200, 'Password must be at most 200 characters'),
  );

const PasswordConfirmation = z
  .string('Password confirmation is required')
  .check(z.minLength(1, 'Password confirmation is required'), z.maxLength(200));

const FullName = requiredText(120, 'Full Name is required');

const studioFields = {
  address_one: requiredText(200, 'Address is required'),
  address_two: optionalText(200),
  city: requiredText(100, 'City is required'),
  state: requiredText(100, 'State is required'),
  zip_code: requiredText(20, 'Zip code is required'),
  time_zone: TimeZone,
};
const StudioName = requiredText(120, 'Studio name is required');

const accountFields = { email: Email, full_name: FullName, username: Username };
const PASSWORDS_MATCH = { path: ['confirm_password'], error: 'The passwords do not match' };
/** In a form this is told whatever else is still missing. */
const PASSWORDS_MATCH_IN_FORM = { ...PASSWORDS_MATCH, when: () => true };

/** The first step of signing up (specification, section 4). */
export const SignupAccount = z
  .object({ ...accountFields, password: Password, confirm_password: PasswordConfirmation })
  .check(
    z.refine(
      ({ password, confirm_password }) => password === confirm_password,
      PASSWORDS_MATCH_IN_FORM,
    ),
  );

/** The second step. */
export const SignupStudio = z.object({ studio_name: StudioName, ...studioFields });

export const Signup = z
  .strictObject({
    ...accountFields,
    password: Password,
    confirm_password: PasswordConfirmation,
    ...SignupStudio.shape,
  })
  .check(
    z.refine(({ password, confirm_password }) => password === confirm_password, PASSWORDS_MATCH),
    z.meta({ id: 'Signup' }),
  );
export type Signup = z.output<typeof Signup>;

/** The form of a new password; the API takes it without the confirmation. */
export const NewPasswordForm = z
  .object({ new_password: Password, confirm_password: PasswordConfirmation })
  .check(
    z.refine(
      ({ new_password, confirm_password }) => new_password === confirm_password,
      PASSWORDS_MATCH_IN_FORM,
    ),
  );

export const Studio = z
  .object({
    name: z.string(),
    address_one: z.string(),
    address_two: z.nullable(z.string()),
    city: z.string(),
    state: z.string(),
    zip_code: z.string(),
    time_zone: z.string(),
  })
  .check(z.meta({ id: 'Studio' }));
export type Studio = z.output<typeof Studio>;

/** How many hours before an appointment the client is reminded; none switches reminders off. */
const ReminderHours = z.array(z.literal(REMINDER_HOURS_CHOICES)).check(
  z.maxLength(MAX_REMINDERS, `Choose at most ${MAX_REMINDERS}`),
  z.refine((hours) => new Set(hours).size === hours.length, 'Choose each only once'),
  z.meta({ description: 'How many hours before an appointment its client is reminded' }),
);

/** What anyone sees. */
export const Artist = z
  .object({
    id: Id,
    username: z.string(),
    full_name: z.string(),
    avatar_url: z.nullable(z.string()),
    avatar_sources: z
      .array(ImageSource)
      .check(z.meta({ description: 'The same picture in other widths; empty without one' })),
    email: z.string(),
    facebook_url: z.nullable(z.string()),
    instagram_url: z.nullable(z.string()),
    about_me: z.nullable(z.string()),
    scheduling_type: z
      .nullable(z.enum(SCHEDULING_TYPES))
      .check(z.meta({ description: 'null while sign-up is incomplete' })),
    studio: Studio,
    taking_bookings: z
      .boolean()
      .check(z.meta({ description: 'Whether clients may book or ask for anything now' })),
  })
  .check(z.meta({ id: 'Artist' }));
export type Artist = z.output<typeof Artist>;

/** An artist in the list of all who can be found, with the pictures that their pages show. */
export const ArtistListItem = z
  .object({
    username: z.string(),
    scheduling_type: z.enum(SCHEDULING_TYPES),
    avatar_url: z.nullable(z.string()),
    design_urls: z
      .array(z.string())
      .check(z.meta({ description: 'Pictures of the first available designs' })),
    portfolio_urls: z
      .array(z.string())
      .check(z.meta({ description: 'The first pictures of the portfolio' })),
  })
  .check(z.meta({ id: 'ListedArtist' }));
export type ArtistListItem = z.output<typeof ArtistListItem>;

/** What the artist sees of themselves. */
export const CurrentArtist = z
  .object({
    ...Artist.shape,
    schedule: Schedule,
    booking_range: BookingRange,
    is_active: z.boolean(),
    is_superuser: z.boolean(),
    reminder_hours: ReminderHours,
    subscription: z
      .nullable(Subscription)
      .check(z.meta({ description: 'null while billing is off' })),
    created_at: TimestampOutput,
  })
  .check(z.meta({ id: 'ArtistSelf' }));
export type CurrentArtist = z.output<typeof CurrentArtist>;

function socialHandle(network: SocialNetwork) {
  return z.nullable(
    z.pipe(
      z.string().check(
        z.trim(),
        z.maxLength(300),
        z.refine(
          (typed) => typed === '' || parseSocialHandle(network, typed) !== null,
          'Not a handle',
        ),
      ),
      z.transform((typed: string) => parseSocialHandle(network, typed)),
    ),
  );
}

/** Fields left out keep their value. Handles may be `handle`, `@handle` or a profile link. */
export const ArtistChanges = z.strictObject({
  full_name: z.optional(FullName),
  username: z.optional(Username),
  email: z.optional(Email),
  about_me: z.optional(optionalText(5000)),
  facebook: z.optional(socialHandle('facebook')),
  instagram: z.optional(socialHandle('instagram')),
  scheduling_type: z.optional(z.nullable(z.enum(SCHEDULING_TYPES))),
  studio: z.optional(z.partial(z.strictObject({ name: StudioName, ...studioFields }))),
  reminder_hours: z.optional(ReminderHours),
});
export type ArtistChanges = z.output<typeof ArtistChanges>;

/** A new password for whoever knows the current one. */
export const PasswordChange = z.strictObject({
  current_password: z
    .string('Password is required')
    .check(z.minLength(1, 'Password is required'), z.maxLength(200)),
  new_password: Password,
});
export type PasswordChange = z.output<typeof PasswordChange>;

const superuserFields = { is_active: z.boolean(), is_superuser: z.boolean() };

/** An account that a superuser makes. */
export const NewArtist = z
  .strictObject({
    ...accountFields,
    password: Password,
    ...SignupStudio.shape,
    is_active: z._default(superuserFields.is_active, true),
    is_superuser: z._default(superuserFields.is_superuser, false),
  })
  .check(z.meta({ id: 'NewArtist' }));
export type NewArtist = z.output<typeof NewArtist>;

/** Which accounts a superuser looks for, by username, email or full name. */
export const AccountQuery = z.extend(PageQuery, { search: SearchText });
export type AccountQuery = z.output<typeof AccountQuery>;

/** What a superuser may change of an account. Fields left out keep their value. */
export const SuperuserArtistChanges = z.extend(ArtistChanges, {
  password: z.optional(Password),
  is_active: z.optional(superuserFields.is_active),
  is_superuser: z.optional(superuserFields.is_superuser),
});
export type SuperuserArtistChanges = z.output<typeof SuperuserArtistChanges>;
