import { useStore } from '@nanostores/react';
import { useEffect } from 'react';
import type { UploadedImage } from '#contract/image.ts';
import { $opened, close, reopen } from '#stores/studio/opened.ts';
import { portfolio, portfolioUploads } from '#stores/studio/portfolio.ts';
import { AddPictures } from '../artwork/AddPictures.tsx';
import { Artwork } from '../artwork/Artwork.tsx';
import { Empty } from '../Empty.tsx';
import { PictureCard } from './PictureCard.tsx';
import { PictureDialog } from './PictureDialog.tsx';

/** The artist's finished work, in the order that clients see. */
export function Portfolio() {
  const list = useStore(portfolio.$list);
  const skip = useStore(portfolio.$skip);
  const uploads = useStore(portfolioUploads.$uploads);
  const opened = useStore($opened);
  useEffect(reopen, []);

  const images = list.data?.data ?? [];
  const image = images.find(({ id }) => id === opened);
  const nameOf = (one: UploadedImage) => shownName(one, skip + images.indexOf(one));
  return (
    <>
      <Artwork
        what="pictures"
        intro="Your finished work on the About page, in the order clients see it."
        list={list}
        skip={skip}
        uploads={uploads}
        none={<None />}
        nameOf={nameOf}
        actions={{
          retry: portfolio.reread,
          move: portfolio.move,
          turnTo: (to) => portfolio.$skip.set(to),
          add: portfolioUploads.add,
          retryUpload: portfolioUploads.retry,
          removeUpload: portfolioUploads.remove,
        }}
      >
        {(one, grip, moves) => (
          <PictureCard image={one} name={nameOf(one)} grip={grip} moves={moves} />
        )}
      </Artwork>
      {image && <PictureDialog key={image.id} image={image} onClose={close} />}
    </>
  );
}

const NAME_LENGTH = 60;

/** What a picture is called here: the beginning of its description, or its number. */
function shownName({ title }: UploadedImage, index: number): string {
  if (title === '') return `picture ${index + 1}`;
  return title.length > NAME_LENGTH ? `${title.slice(0, NAME_LENGTH)}…` : title;
}

function None() {
  return (
    <Empty title="No pictures yet">
      <p>
        Show the tattoos you have done, several at once if you like: clients see them on your About
        page.
      </p>
      <AddPictures onFiles={portfolioUploads.add}>Add your first pictures</AddPictures>
    </Empty>
  );
}
