/** Merging two records of clients who are one person. */

import { HOUR_MS, type Instant } from '../time/time.ts';
import { CLIENT_DETAIL_FIELDS, type ClientDetails } from './client_details.ts';

/** How long a merge can be undone. */
export const MERGE_UNDO_MS = HOUR_MS;

/** The columns of a client that a merge can change. */
export const MERGED_FIELDS = [...CLIENT_DETAIL_FIELDS, 'notes'] as const;

/** The values of these columns. Stored as JSON. */
export interface MergedFields extends ClientDetails {
  readonly notes: string;
}

/**
 * The remaining client after a merge. Each field keeps its value; an empty one gets the other client's.
 * Both notes stay, those of the remaining client first. A name, pronouns or a phone number of the other
 * client that differ are added to the notes, so that nothing is lost.
 */
export function mergeFields(remaining: MergedFields, other: MergedFields): MergedFields {
  return {
    email: remaining.email ?? other.email,
    first_name: remaining.first_name ?? other.first_name,
    last_name: remaining.last_name ?? other.last_name,
    pronouns: remaining.pronouns ?? other.pronouns,
    phone_number: remaining.phone_number ?? other.phone_number,
    preferred_contact: remaining.preferred_contact ?? other.preferred_contact,
    notes: [remaining.notes, other.notes, differingDetails(remaining, other)]
      .filter((notes) => notes !== '')
      .join('\n\n'),
  };
}

/** The details of the other client that the fields of the remaining one cannot keep; '' for none. */
function differingDetails(remaining: MergedFields, other: MergedFields): string {
  const isLost = (field: 'first_name' | 'last_name' | 'pronouns' | 'phone_number') =>
    remaining[field] !== null && other[field] !== null && remaining[field] !== other[field];
  const isNameLost = isLost('first_name') || isLost('last_name');
  const lost = [
    isNameLost ? [other.first_name, other.last_name].filter(Boolean).join(' ') : null,
    isLost('pronouns') ? other.pronouns : null,
    isLost('phone_number') ? other.phone_number : null,
  ].filter((detail) => detail !== null);
  return lost.length === 0 ? '' : `Also: ${lost.join(', ')}`;
}

/** Whether a merge can be undone now: within the time, and while the remaining client is as it was made. */
export function canUndoMerge(
  { mergedAt, after }: { readonly mergedAt: Instant; readonly after: MergedFields },
  current: MergedFields,
  now: Instant,
): boolean {
  return (
    now <= mergedAt + MERGE_UNDO_MS &&
    MERGED_FIELDS.every((field) => current[field] === after[field])
  );
}
