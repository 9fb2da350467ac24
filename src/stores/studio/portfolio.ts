import { changeImage, deleteImage, listOwnPortfolio, uploadPortfolio } from '#client/images.ts';
import type { ImageChanges, UploadedImage } from '#contract/image.ts';
import { artistApi } from '../session.ts';
import { showSuccessToast } from '../toasts.ts';
import { createOrderedList } from './ordered_list.ts';
import { createUploadQueue } from './uploads.ts';

/** Pictures of the artist's finished work, in the order that clients see. */
export const portfolio = createOrderedList<UploadedImage>({
  resource: 'portfolio',
  list: listOwnPortfolio,
  move: (http, id, position) => changeImage(http, id, { position }),
  remove: deleteImage,
});

export const portfolioUploads = createUploadQueue({
  async send(file, uploadOptions) {
    const { data: images } = await uploadPortfolio(artistApi(), [file], uploadOptions);
    for (const image of images) portfolio.append(image);
  },
  onFinished(count) {
    showSuccessToast(
      count === 1 ? 'Picture added.' : `${count} pictures added.`,
      'At the end of the list. Say what one sees on them, for people who cannot.',
    );
  },
});

/** Changes a picture's description. @throws ApiError */
export async function savePicture(id: string, changes: ImageChanges): Promise<void> {
  portfolio.applyUpdate(await changeImage(artistApi(), id, changes));
  showSuccessToast('Saved.', 'The description was changed.');
}
