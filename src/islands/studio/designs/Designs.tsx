import { useStore } from '@nanostores/react';
import { useEffect } from 'react';
import type { Design } from '#contract/design.ts';
import { designs, designUploads } from '#stores/studio/designs.ts';
import { $opened, close, reopen } from '#stores/studio/opened.ts';
import { AddPictures } from '../artwork/AddPictures.tsx';
import { Artwork } from '../artwork/Artwork.tsx';
import { Empty } from '../Empty.tsx';
import { DesignCard } from './DesignCard.tsx';
import { DesignDialog } from './DesignDialog.tsx';

/** The artist's designs, in the order that clients see. */
export function Designs() {
  const list = useStore(designs.$list);
  const skip = useStore(designs.$skip);
  const uploads = useStore(designUploads.$uploads);
  const opened = useStore($opened);
  useEffect(reopen, []);

  const design = list.data?.data.find(({ id }) => id === opened);
  return (
    <>
      <Artwork
        what="designs"
        intro="What clients can ask for, in the order they see it."
        list={list}
        skip={skip}
        uploads={uploads}
        none={<None />}
        nameOf={nameOf}
        actions={{
          retry: designs.reread,
          move: designs.move,
          turnTo: (to) => designs.$skip.set(to),
          add: designUploads.add,
          retryUpload: designUploads.retry,
          removeUpload: designUploads.remove,
        }}
      >
        {(one, grip, moves) => <DesignCard design={one} grip={grip} moves={moves} />}
      </Artwork>
      {design && <DesignDialog key={design.id} design={design} onClose={close} />}
    </>
  );
}

const nameOf = ({ name }: Design) => name;

function None() {
  return (
    <Empty title="No designs yet">
      <p>
        Add pictures of the designs you would like to tattoo, several at once if you like. Clients
        see them on your page and can ask for one.
      </p>
      <AddPictures onFiles={designUploads.add}>Add your first designs</AddPictures>
    </Empty>
  );
}
