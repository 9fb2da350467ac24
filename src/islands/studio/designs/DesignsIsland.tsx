import type { CurrentArtist } from '#contract/artist.ts';
import { designs, designUploads } from '#stores/studio/designs.ts';
import { PictureFileButton } from '../artwork/PictureFileButton.tsx';
import { createStudioPage } from '../create_studio_page.tsx';
import { Icon } from '../Icon.tsx';
import { OrderedListView } from '../sortable/OrderedListView.tsx';
import { DesignCard } from './DesignCard.tsx';
import { DesignDialog } from './DesignDialog.tsx';
import { DraftsSheet } from './DraftsSheet.tsx';

/** The studio page where artists upload, sort and edit their designs. */
export default createStudioPage(
  'designs',
  Designs,
  <PictureFileButton multiple onFiles={designUploads.add}>
    <Icon name="plus" />
    <span>Add designs</span>
  </PictureFileButton>,
);

function Designs({ me }: { me: CurrentArtist }) {
  return (
    <>
      <DraftsSheet currency={me.currency} />
      <OrderedListView
        label="designs"
        intro="What clients can ask for, in the order they see it."
        list={designs}
        uploads={designUploads}
        layout="grid"
        emptyTitle="No designs yet"
        emptyText="Add pictures of the designs you would like to tattoo, several at once if you like. Clients see them on your page and can ask for one."
        emptyAction={
          <PictureFileButton multiple onFiles={designUploads.add}>
            Add your first designs
          </PictureFileButton>
        }
        itemName={({ name }) => name}
        dialog={(design) => <DesignDialog design={design} currency={me.currency} />}
        Card={DesignCard}
      />
    </>
  );
}
