import { useStore } from '@nanostores/react';
import { type RefObject, useLayoutEffect, useRef } from 'react';
import type { CurrentArtist } from '#contract/artist.ts';
import { $drafts, designs, designUploads } from '#stores/studio/designs.ts';
import { scrollBehavior } from '../../browser.ts';
import { PictureFileButton } from '../artwork/PictureFileButton.tsx';
import { createStudioPage } from '../create_studio_page.tsx';
import { Loading, useAllLoaded } from '../LoadableView.tsx';
import { OrderedListView } from '../sortable/OrderedListView.tsx';
import { DesignCard } from './DesignCard.tsx';
import { DesignDialog } from './DesignDialog.tsx';
import { DraftsSheet } from './DraftsSheet.tsx';

export default createStudioPage('designs', Designs, {
  actions: (
    <PictureFileButton label="Add designs" icon="plus" multiple onFiles={designUploads.add} />
  ),
});

function Designs({ me }: { me: CurrentArtist }) {
  const drafts = useStore($drafts);
  const isLoaded = useAllLoaded(drafts, useStore(designs.$list));
  const list = useRef<HTMLDivElement>(null);
  useScrollToNewDrafts(list, drafts.data?.length ?? 0);
  if (!isLoaded) return <Loading label="designs" />;
  return (
    <>
      <DraftsSheet currency={me.currency} />
      <div ref={list}>
        <OrderedListView
          label="designs"
          intro="What clients can ask for, in the order they see it."
          list={designs}
          uploads={designUploads}
          layout="grid"
          emptyTitle="No designs yet"
          emptyText="Add pictures of the designs you would like to tattoo, several at once if you like. Clients see them on your page and can ask for one."
          emptyAction={
            <PictureFileButton
              label="Add your first designs"
              multiple
              onFiles={designUploads.add}
            />
          }
          itemName={({ name }) => name}
          dialog={(design) => <DesignDialog design={design} artistCurrency={me.currency} />}
          Card={DesignCard}
        />
      </div>
    </>
  );
}

/** New drafts appear above the list: it stays where it is, then the page scrolls up to the drafts. */
function useScrollToNewDrafts(list: RefObject<HTMLElement | null>, draftCount: number): void {
  const lastRender = useRef<{ readonly draftCount: number; readonly top: number } | null>(null);
  useLayoutEffect(() => {
    if (list.current === null) return;
    const top = list.current.getBoundingClientRect().top + scrollY;
    const previous = lastRender.current;
    lastRender.current = { draftCount, top };
    if (previous === null || draftCount <= previous.draftCount) return;
    const distance = top - previous.top;
    // Where the list began above the visible part, the browser itself keeps that part in place.
    if (distance <= 0 || previous.top < scrollY) return;
    scrollBy({ top: distance, behavior: 'instant' });
    const target = { top: scrollY - distance, behavior: scrollBehavior() };
    requestAnimationFrame(() => scrollTo(target));
  });
}
