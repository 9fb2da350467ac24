import type { AppointmentFormInput } from '#contract/appointment_form.ts';
import type { Artist } from '#contract/artist.ts';

/** A client's own details, as typed into the form. */
export const ROSA_DETAILS = {
  first_name: 'Rosa',
  last_name: 'Quint',
  pronouns: 'she/her',
  phone_number: '(212) 555-0100',
  email: 'rosa@example.com',
  preferred_contact: 'text',
} as const;

/** A client's form with every field filled in. */
export const FILLED_FORM = {
  location: 'arms',
  size: 'small',
  customer_notes: 'A swallow, please.',
  ...ROSA_DETAILS,
} satisfies AppointmentFormInput;

/** The default address of a studio. */
export const NEW_YORK = {
  address_one: '1 Example Street',
  city: 'New York',
  state: 'NY',
  zip_code: '10001',
  time_zone: 'America/New_York',
};

/** A schedule with the same hours every day, a start each hour, and no notice. */
export function createDailySchedule(start: string, end: string) {
  return {
    weekly: [1, 2, 3, 4, 5, 6, 7].map((weekday) => ({ weekday, windows: [{ start, end }] })),
    slot_interval_minutes: 60,
    minimum_notice_minutes: 0,
  };
}

/** An artist as the public API returns them. */
export const ROSA_ARTIST: Artist = {
  id: 'f3b6f0f4-8b7e-4a2c-8a53-0d4b2b6a9d10',
  username: 'rosa_ink',
  full_name: 'Rosa Quint',
  avatar_url: null,
  avatar_sources: [],
  email: 'rosa@example.com',
  facebook_url: null,
  instagram_url: null,
  about_me: null,
  styles: [],
  scheduling_type: 'service',
  studio: { name: 'Quint Tattoo', ...NEW_YORK, address_two: null, offsets: [] },
  taking_bookings: true,
  books: { is_open: true, opens_at: null, draw: null },
};

/** An email with every sign that is allowed before the @, and a domain in Unicode as it is stored. */
export const ODD_EMAIL = "r/&!#=%~{}|*?$^`.+_-'s@xn--mnchen-3ya.de";
