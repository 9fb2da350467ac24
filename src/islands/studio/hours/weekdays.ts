/** Monday first, as in ISO 8601: the weekday's number is the index + 1. */
export const ISO_WEEKDAYS = [
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
  'Sunday',
] as const;
