import { toCallOptions } from '#client/upload.ts';
import * as endpoints from '#contract/endpoints.ts';
import type { ImageChanges, UploadedImage } from '#contract/image.ts';
import { callAsArtist } from '../session.ts';
import { showSuccessToast } from '../toasts.ts';
import { createOrderedList } from './ordered_list.ts';
import { createUploadQueue } from './uploads.ts';

/** Pictures of the artist's finished work, in the order that clients see. */
export const portfolio = createOrderedList<UploadedImage, ImageChanges>({
  resource: 'portfolio',
  list: (query) => callAsArtist(endpoints.listOwnPortfolio, { query }),
  change: (id, body) => callAsArtist(endpoints.changeImage, { path: { image_id: id }, body }),
  remove: (id) => callAsArtist(endpoints.deleteImage, { path: { image_id: id } }),
});

export const portfolioUploads = createUploadQueue({
  async send(file, uploadOptions) {
    const body = { file: [file] };
    const options = toCallOptions(uploadOptions);
    const { data } = await callAsArtist(endpoints.uploadPortfolio, { body }, options);
    for (const image of data) portfolio.append(image);
  },
  onFinished(count) {
    showSuccessToast(
      count === 1 ? 'Picture added.' : `${count} pictures added.`,
      'At the end of the list. Say what one sees on them, for people who cannot.',
    );
  },
});

/** Changes a picture's description, which the API calls `title`. @throws ApiError */
export async function savePicture(id: string, changes: ImageChanges): Promise<void> {
  await portfolio.save(id, changes);
  showSuccessToast('Saved.', 'The description was changed.');
}
