// The artist's designs, and those that are not published yet: several pictures that were uploaded at once.
import { atom } from 'nanostores';
import { toCallOptions } from '#client/upload.ts';
import type { Design, DesignChanges } from '#contract/design.ts';
import * as endpoints from '#contract/endpoints.ts';
import { designNameFromFile, isUnnamed } from '#domain/studio/design_name.ts';
import { pluralize } from '#domain/time/duration.ts';
import { callAsArtist } from '../session.ts';
import { showErrorToast, showSuccessToast } from '../toasts.ts';
import { createOrderedList } from './ordered_list.ts';
import { createQuery, fetchAllPages, revalidate } from './queries.ts';
import { createUploadQueue } from './uploads.ts';

/** All designs of the artist, hidden ones included, in the order that clients see. */
export const designs = createOrderedList<Design, DesignChanges>({
  resource: 'designs',
  list: (query) => callAsArtist(endpoints.listOwnDesigns, { query }),
  change: (id, body) => callAsArtist(endpoints.changeDesign, { path: { design_id: id }, body }),
  remove: (id) => callAsArtist(endpoints.deleteDesign, { path: { design_id: id } }),
});

/** Files that were added together with others: they become drafts. */
const draftFiles = new WeakSet<File>();
/** How many drafts were uploaded since the queue was last empty. */
let draftCount = 0;

/** Uploads pictures: each becomes a new design, named after the picture's file. */
const queue = createUploadQueue({
  async send(file, uploadOptions) {
    const isDraft = draftFiles.has(file);
    const status = isDraft ? 'draft' : 'available';
    const body = { name: designNameFromFile(file.name), description: '', status, file } as const;
    const options = toCallOptions(uploadOptions);
    designs.append(await callAsArtist(endpoints.createDesign, { body }, options));
    if (isDraft) draftCount += 1;
  },
  onFinished(count) {
    revalidate(['designs', 'drafts']);
    const hasDrafts = draftCount > 0;
    draftCount = 0;
    showSuccessToast(
      count === 1 ? 'Design added.' : `${count} designs added.`,
      hasDrafts
        ? 'Clients do not see drafts. Say what they cost and how large they are, and publish all at once.'
        : 'At the end of the list. Look over the name and say what one sees on it.',
    );
  },
});

/** The queue of designs. Several pictures that are added at once become drafts. */
export const designUploads = {
  ...queue,
  add(files: readonly File[]): void {
    if (files.length > 1) for (const file of files) draftFiles.add(file);
    queue.add(files);
  },
};

/** Changes a design and shows a toast. @throws ApiError */
export async function saveDesign(id: string, changes: DesignChanges): Promise<void> {
  const { name } = await designs.save(id, changes);
  revalidate(['designs', 'drafts']);
  showSuccessToast('Saved.', `“${name}” was changed.`);
}

/** The designs that the artist has not published yet, in the order of the list. */
export const $drafts = createQuery(['designs', 'drafts'], fetchDrafts);

async function fetchDrafts() {
  const all = await fetchAllPages((query) => callAsArtist(endpoints.listOwnDesigns, { query }));
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

interface DraftChanges {
  readonly id: string;
  /** The name that it has with these changes. */
  readonly name: string;
  readonly changes: DesignChanges;
}

/**
 * Saves drafts one after the other, and publishes them if `publish` says so. Drafts without a name of their own
 * are not published. After an error, the drafts before it are saved, and the rest stay drafts. Drafts that another
 * window has published, hidden or deleted meanwhile are left out.
 * @throws ApiError
 */
export async function saveDrafts(
  drafts: readonly DraftChanges[],
  { publish }: { readonly publish: boolean },
): Promise<void> {
  const current = new Set((await fetchDrafts()).map(({ id }) => id));
  const remaining = drafts.filter(({ id }) => current.has(id));
  const unnamed = remaining.filter(({ name }) => isUnnamed(name));
  try {
    for (const [done, draft] of remaining.entries()) {
      $draftProgress.set({ done, total: remaining.length, isPublished: publish });
      const body: DesignChanges = { ...draft.changes };
      if (publish && !unnamed.includes(draft)) body.status = 'available';
      if (Object.keys(body).length === 0) continue;
      await designs.save(draft.id, body);
    }
  } finally {
    $draftProgress.set(null);
    revalidate('designs');
  }
  const leftOut = formatLeftOut(drafts.length - remaining.length);
  if (publish) showPublished(remaining.length - unnamed.length, unnamed.length, leftOut);
  else if (remaining.length === 0) showErrorToast('Nothing was saved.', leftOut.trim());
  else showSuccessToast('Saved.', `Only you see your drafts.${leftOut}`);
}

/** Says how many designs were left out because they are no longer drafts; '' for none. */
function formatLeftOut(count: number): string {
  if (count === 0) return '';
  const text = count === 1 ? 'is no longer a draft and was' : 'are no longer drafts and were';
  return ` ${pluralize(count, 'design')} ${text} left out.`;
}

function showPublished(published: number, unnamed: number, leftOut: string): void {
  const stays =
    unnamed === 1
      ? 'without a name stays a draft. Give it a name to publish it.'
      : 'without a name stay drafts. Give them names to publish them.';
  const unpublished = unnamed === 0 ? '' : ` ${pluralize(unnamed, 'design')} ${stays}`;
  const rest = unpublished + leftOut;
  const seen = `Clients see ${published === 1 ? 'it' : 'them'} on your page.${rest}`;
  if (published === 0) showErrorToast('Nothing was published.', rest.trim());
  else showSuccessToast(`${pluralize(published, 'design')} published.`, seen);
}
