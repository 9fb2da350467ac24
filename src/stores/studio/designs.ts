import { toCallOptions } from '#client/upload.ts';
import type { Design, DesignChanges } from '#contract/design.ts';
import { changeDesign, createDesign, deleteDesign, listOwnDesigns } from '#contract/endpoints.ts';
import type { DesignStatus } from '#domain/artwork.ts';
import { designNameFromFile } from '#domain/design_name.ts';
import { callAsArtist } from '../session.ts';
import { showSuccessToast } from '../toasts.ts';
import { createOrderedList } from './ordered_list.ts';
import { revalidate } from './queries.ts';
import { createUploadQueue } from './uploads.ts';

/** All designs of the artist, hidden ones included, in the order that clients see. */
export const designs = createOrderedList<Design>({
  resource: 'designs',
  list: (query) => callAsArtist(listOwnDesigns, { query }),
  move: (id, position) =>
    callAsArtist(changeDesign, { path: { design_id: id }, body: { position } }),
  remove: (id) => callAsArtist(deleteDesign, { path: { design_id: id } }),
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
    const design = { name: designNameFromFile(file.name), description: '', status, file } as const;
    designs.append(
      await callAsArtist(createDesign, { body: design }, toCallOptions(uploadOptions)),
    );
    if (isDraft) draftCount += 1;
  },
  onFinished(count) {
    revalidate('designs', 'drafts');
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
  const design = await callAsArtist(changeDesign, { path: { design_id: id }, body: changes });
  designs.applyUpdate(design);
  revalidate('designs', 'drafts');
  showSuccessToast('Saved.', `“${design.name}” was changed.`);
}

/** Sets a design's status, which decides whether clients see it; a toast shows an error. */
export function setDesignStatus(design: Design, status: DesignStatus): Promise<void> {
  return designs.changeField(design, 'status', status, () =>
    callAsArtist(changeDesign, { path: { design_id: design.id }, body: { status } }),
  );
}
