import { toCallOptions } from '#client/upload.ts';
import type { Design, DesignChanges } from '#contract/design.ts';
import { changeDesign, createDesign, deleteDesign, listOwnDesigns } from '#contract/endpoints.ts';
import type { DesignStatus } from '#domain/artwork.ts';
import { designNameFromFile } from '#domain/design_name.ts';
import { callAsArtist } from '../session.ts';
import { showSuccessToast } from '../toasts.ts';
import { createOrderedList } from './ordered_list.ts';
import { createUploadQueue } from './uploads.ts';

/** All designs of the artist, hidden ones included, in the order that clients see. */
export const designs = createOrderedList<Design>({
  resource: 'designs',
  list: (query) => callAsArtist(listOwnDesigns, { query }),
  move: (id, position) =>
    callAsArtist(changeDesign, { path: { design_id: id }, body: { position } }),
  remove: (id) => callAsArtist(deleteDesign, { path: { design_id: id } }),
});

/** Uploads pictures: each becomes a new design, named after the picture's file. */
export const designUploads = createUploadQueue({
  async send(file, uploadOptions) {
    const design = { name: designNameFromFile(file.name), description: '', file };
    designs.append(
      await callAsArtist(createDesign, { body: design }, toCallOptions(uploadOptions)),
    );
  },
  onFinished(count) {
    showSuccessToast(
      count === 1 ? 'Design added.' : `${count} designs added.`,
      'At the end of the list. Look over the names and say what one sees on them.',
    );
  },
});

/** Changes a design and shows a toast. @throws ApiError */
export async function saveDesign(id: string, changes: DesignChanges): Promise<void> {
  const design = await callAsArtist(changeDesign, { path: { design_id: id }, body: changes });
  designs.applyUpdate(design);
  showSuccessToast('Saved.', `“${design.name}” was changed.`);
}

/** Sets a design's status, which decides whether clients see it; a toast shows an error. */
export function setDesignStatus(design: Design, status: DesignStatus): Promise<void> {
  return designs.changeField(design, 'status', status, () =>
    callAsArtist(changeDesign, { path: { design_id: design.id }, body: { status } }),
  );
}
