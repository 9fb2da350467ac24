// Designs that are not published yet: several pictures that were uploaded at once.

import { atom } from 'nanostores';
import type { DesignChanges } from '#contract/design.ts';
import { changeDesign, listOwnDesigns } from '#contract/endpoints.ts';
import { isUnnamed } from '#domain/design_name.ts';
import { pluralize } from '#domain/duration.ts';
import { callAsArtist } from '../session.ts';
import { showErrorToast, showSuccessToast } from '../toasts.ts';
import { fetchAllPages } from './all_pages.ts';
import { designs } from './designs.ts';
import { createQuery, revalidate } from './queries.ts';

/** The artist's drafts, in the order of the list. */
export const $drafts = createQuery(['designs', 'drafts'], fetchDrafts);

async function fetchDrafts() {
  const all = await fetchAllPages((page) => callAsArtist(listOwnDesigns, { query: page }));
  return all.filter(({ status }) => status === 'draft');
}

interface DraftProgress {
  readonly done: number;
  readonly total: number;
  /** Whether they are published, not only saved. */
  readonly isPublished: boolean;
}

/** How many of how many drafts are saved; null while none are being saved. */
export const $draftProgress = atom<DraftProgress | null>(null);

/** What the artist typed about a draft. */
export interface DraftChanges {
  readonly id: string;
  /** The name that it has with these changes. */
  readonly name: string;
  readonly changes: DesignChanges;
}

/**
 * Saves drafts one after the other, and publishes them if wanted: those without a name of their own stay
 * drafts. After an error, those before it are saved, and the rest stay drafts. What another window has
 * published, hidden or deleted meanwhile is left as it is.
 * @throws ApiError
 */
export async function saveDrafts(
  drafts: readonly DraftChanges[],
  isPublished: boolean,
): Promise<void> {
  const current = new Set((await fetchDrafts()).map(({ id }) => id));
  const remaining = drafts.filter(({ id }) => current.has(id));
  const unnamed = remaining.filter(({ name }) => isUnnamed(name));
  try {
    for (const [done, draft] of remaining.entries()) {
      $draftProgress.set({ done, total: remaining.length, isPublished });
      const body: DesignChanges = { ...draft.changes };
      if (isPublished && !unnamed.includes(draft)) body.status = 'available';
      if (Object.keys(body).length === 0) continue;
      designs.applyUpdate(
        await callAsArtist(changeDesign, { path: { design_id: draft.id }, body }),
      );
    }
  } finally {
    $draftProgress.set(null);
    revalidate('designs');
  }
  const left = formatLeft(drafts.length - remaining.length);
  if (isPublished) showPublished(remaining.length - unnamed.length, unnamed.length, left);
  else if (remaining.length === 0) showErrorToast('Nothing was saved.', left.trim());
  else showSuccessToast('Saved.', `Only you see your drafts.${left}`);
}

/** About designs that are no longer drafts. */
function formatLeft(count: number): string {
  if (count === 0) return '';
  const left = count === 1 ? 'is no longer a draft and was' : 'are no longer drafts and were';
  return ` ${pluralize(count, 'design')} ${left} left out.`;
}

function showPublished(published: number, unnamed: number, left: string): void {
  const stays = `without a name ${unnamed === 1 ? 'stays a draft. Give it a name' : 'stay drafts. Give them names'} to publish ${unnamed === 1 ? 'it' : 'them'}.`;
  const rest = `${unnamed === 0 ? '' : ` ${pluralize(unnamed, 'design')} ${stays}`}${left}`;
  const seen = `Clients see ${published === 1 ? 'it' : 'them'} on your page.${rest}`;
  if (published === 0) showErrorToast('Nothing was published.', rest.trim());
  else showSuccessToast(`${pluralize(published, 'design')} published.`, seen);
}
