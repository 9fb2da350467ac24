/**
 * Another email that a client wants for an appointment whose present email is proven. Only the latest change is stored.
 */
export interface ClientEmailChange {
  /** The email at the time of the request, whose owner got the link. */
  readonly from: string;
  readonly to: string;
  /** RFC 3339 with microseconds: another time for each request. */
  readonly askedAt: string;
  /** Whether the link was used. */
  readonly isApplied: boolean;
}

/**
 * The email that waits for its link; null for none. Once the appointment has another email than `from`,
 * the link of the change is not valid any more.
 * @param email the appointment's now; null for none
 */
export function waitingEmail(
  change: ClientEmailChange | null,
  email: string | null,
): string | null {
  if (change === null || change.isApplied || email === null) return null;
  return isSameEmail(change.from, email) ? change.to : null;
}

/** Whether two emails are the same but for letter case. */
export function isSameEmail(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
