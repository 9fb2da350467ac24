import { useStore } from '@nanostores/react';
import { useEffect } from 'react';
import type { Design } from '#contract/design.ts';
import { designs, designUploads } from '#stores/studio/designs.ts';
import { $dialog, closeDialog, restoreDialog } from '#stores/studio/dialog.ts';
import { AddPicturesButton } from '../artwork/AddPicturesButton.tsx';
import { PictureGallery } from '../artwork/PictureGallery.tsx';
import { EmptyState } from '../EmptyState.tsx';
import { DesignCard } from './DesignCard.tsx';
import { DesignDialog } from './DesignDialog.tsx';

/** The artist's designs, in the order that clients see. */
export function Designs() {
  const list = useStore(designs.$list);
  const skip = useStore(designs.$skip);
  const uploads = useStore(designUploads.$uploads);
  const opened = useStore($dialog);
  useEffect(restoreDialog, []);

  const design = list.data?.data.find(({ id }) => id === opened);
  return (
    <>
      <PictureGallery
        label="designs"
        intro="What clients can ask for, in the order they see it."
        list={list}
        skip={skip}
        uploads={uploads}
        emptyState={<NoDesigns />}
        itemName={designName}
        actions={{
          retry: designs.reload,
          move: designs.move,
          turnTo: (to) => designs.$skip.set(to),
          add: designUploads.add,
          retryUpload: designUploads.retry,
          removeUpload: designUploads.remove,
        }}
      >
        {(one, grip, moves) => <DesignCard design={one} dragHandle={grip} moveActions={moves} />}
      </PictureGallery>
      {design && <DesignDialog key={design.id} design={design} onClose={closeDialog} />}
    </>
  );
}

const designName = ({ name }: Design) => name;

function NoDesigns() {
  return (
    <EmptyState title="No designs yet">
      <p>
        Add pictures of the designs you would like to tattoo, several at once if you like. Clients
        see them on your page and can ask for one.
      </p>
      <AddPicturesButton onFiles={designUploads.add}>Add your first designs</AddPicturesButton>
    </EmptyState>
  );
}
