/** Whether an artist takes new bookings and requests, as the artist has set it. Stored as JSON. */
export interface Books {
  readonly state: 'open' | 'closed';
}
