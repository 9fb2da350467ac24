/** A client who fills in everything about themselves, as it is typed. */
export const ROSA = {
  first_name: 'Rosa',
  last_name: 'Quint',
  pronouns: 'she/her',
  phone_number: '(212) 555-0100',
  email: 'rosa@example.com',
  preferred_contact: 'text',
} as const;

/** A schedule with the same hours every day, a start each hour, and no notice. */
export function openDaily(start: string, end: string) {
  return {
    weekly: [1, 2, 3, 4, 5, 6, 7].map((weekday) => ({ weekday, windows: [{ start, end }] })),
    slot_interval_minutes: 60,
    minimum_notice_minutes: 0,
  };
}
