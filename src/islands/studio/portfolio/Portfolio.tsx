import { useStore } from '@nanostores/react';
import { useEffect } from 'react';
import type { UploadedImage } from '#contract/image.ts';
import { $dialog, closeDialog, restoreDialog } from '#stores/studio/dialog.ts';
import { portfolio, portfolioUploads } from '#stores/studio/portfolio.ts';
import { AddPicturesButton } from '../artwork/AddPicturesButton.tsx';
import { PictureGallery } from '../artwork/PictureGallery.tsx';
import { EmptyState } from '../EmptyState.tsx';
import { PictureCard } from './PictureCard.tsx';
import { PictureDialog } from './PictureDialog.tsx';

/** The artist's finished work, in the order that clients see. */
export function Portfolio() {
  const list = useStore(portfolio.$list);
  const skip = useStore(portfolio.$skip);
  const uploads = useStore(portfolioUploads.$uploads);
  const opened = useStore($dialog);
  useEffect(restoreDialog, []);

  const images = list.data?.data ?? [];
  const image = images.find(({ id }) => id === opened);
  const nameOf = (one: UploadedImage) => pictureName(one, skip + images.indexOf(one));
  return (
    <>
      <PictureGallery
        label="pictures"
        intro="Your finished work on the About page, in the order clients see it."
        list={list}
        skip={skip}
        uploads={uploads}
        emptyState={<NoPictures />}
        itemName={nameOf}
        actions={{
          retry: portfolio.reload,
          move: portfolio.move,
          turnTo: (to) => portfolio.$skip.set(to),
          add: portfolioUploads.add,
          retryUpload: portfolioUploads.retry,
          removeUpload: portfolioUploads.remove,
        }}
      >
        {(one, grip, moves) => (
          <PictureCard image={one} name={nameOf(one)} dragHandle={grip} moveActions={moves} />
        )}
      </PictureGallery>
      {image && <PictureDialog key={image.id} image={image} onClose={closeDialog} />}
    </>
  );
}

const MAX_NAME_LENGTH = 60;

/** What a picture is called here: the beginning of its description, or its number. */
function pictureName({ title }: UploadedImage, index: number): string {
  if (title === '') return `picture ${index + 1}`;
  return title.length > MAX_NAME_LENGTH ? `${title.slice(0, MAX_NAME_LENGTH)}…` : title;
}

function NoPictures() {
  return (
    <EmptyState title="No pictures yet">
      <p>
        Show the tattoos you have done, several at once if you like: clients see them on your About
        page.
      </p>
      <AddPicturesButton onFiles={portfolioUploads.add}>Add your first pictures</AddPicturesButton>
    </EmptyState>
  );
}
