import type { UploadedImage } from '#contract/image.ts';
import { portfolio, portfolioUploads } from '#stores/studio/portfolio.ts';
import { PictureFileButton } from '../artwork/PictureFileButton.tsx';
import { createStudioPage } from '../create_studio_page.tsx';
import { Icon } from '../Icon.tsx';
import { OrderedListView } from '../sortable/OrderedListView.tsx';
import { PictureCard } from './PictureCard.tsx';
import { PictureDialog } from './PictureDialog.tsx';

/** The studio page where artists upload, sort and describe pictures of their finished work. */
export default createStudioPage(
  'portfolio',
  Portfolio,
  <PictureFileButton multiple onFiles={portfolioUploads.add}>
    <Icon name="plus" />
    <span>Add pictures</span>
  </PictureFileButton>,
);

function Portfolio() {
  return (
    <OrderedListView
      label="pictures"
      intro="Your finished work on the About page, in the order clients see it."
      list={portfolio}
      uploads={portfolioUploads}
      layout="grid"
      emptyTitle="No pictures yet"
      emptyText="Show the tattoos you have done, several at once if you like: clients see them on your About page."
      emptyAction={
        <PictureFileButton multiple onFiles={portfolioUploads.add}>
          Add your first pictures
        </PictureFileButton>
      }
      itemName={pictureName}
      dialog={(image) => <PictureDialog image={image} />}
      card={(image, props) => <PictureCard image={image} {...props} />}
    />
  );
}

const MAX_NAME_LENGTH = 60;

/** Pictures have no name of their own: the start of the description, or the number in the list. */
function pictureName({ title }: UploadedImage, position: number): string {
  if (title === '') return `picture ${position + 1}`;
  return title.length > MAX_NAME_LENGTH ? `${title.slice(0, MAX_NAME_LENGTH)}…` : title;
}
