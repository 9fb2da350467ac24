// Designs that are not published yet: several pictures that were uploaded at once.

import { atom } from 'nanostores';
import type { DesignChanges } from '#contract/design.ts';
import { changeDesign, listOwnDesigns } from '#contract/endpoints.ts';
import { pluralize } from '#domain/duration.ts';
import { callAsArtist } from '../session.ts';
import { showSuccessToast } from '../toasts.ts';
import { fetchAllPages } from './all_pages.ts';
import { designs } from './designs.ts';
import { createQuery, revalidate } from './queries.ts';

/** The artist's drafts, in the order of the list. */
export const $drafts = createQuery(['designs', 'drafts'], async () => {
  const all = await fetchAllPages((page) => callAsArtist(listOwnDesigns, { query: page }));
  return all.filter(({ status }) => status === 'draft');
});

/** How many of how many drafts are saved; null while none are being saved. */
export const $draftProgress = atom<{ readonly done: number; readonly total: number } | null>(null);

/** What the artist typed about a draft. */
export interface DraftChanges {
  readonly id: string;
  readonly changes: DesignChanges;
}

/**
 * Saves drafts one after the other, and publishes them if wanted. After an error, those before it are
 * saved, and the rest stay drafts.
 * @throws ApiError
 */
export async function saveDrafts(
  drafts: readonly DraftChanges[],
  isPublished: boolean,
): Promise<void> {
  const published = isPublished ? ({ status: 'available' } as const) : {};
  try {
    for (const [done, { id, changes }] of drafts.entries()) {
      $draftProgress.set({ done, total: drafts.length });
      const body = { ...changes, ...published };
      designs.applyUpdate(await callAsArtist(changeDesign, { path: { design_id: id }, body }));
    }
  } finally {
    $draftProgress.set(null);
    revalidate('designs');
  }
  showSuccessToast(
    isPublished ? `${pluralize(drafts.length, 'design')} published.` : 'Saved.',
    isPublished ? 'Clients see them on your page.' : 'Only you see your drafts.',
  );
}
