import { ImageChanges, type UploadedImage } from '#contract/image.ts';
import { portfolio, portfolioUploads, savePicture } from '#stores/studio/portfolio.ts';
import { TextAreaField } from '../../forms/fields.tsx';
import { Picture } from '../../pictures/Picture.tsx';
import { AddDescriptionButton, CardFooter } from '../artwork/CardParts.tsx';
import { PictureFileButton } from '../artwork/PictureFileButton.tsx';
import { createStudioPage } from '../create_studio_page.tsx';
import { FormDialog } from '../FormDialog.tsx';
import { OrderedListView } from '../sortable/OrderedListView.tsx';
import type { CardProps } from '../sortable/SortableList.tsx';

/** The studio page where artists upload, sort and describe pictures of their finished work. */
export default createStudioPage('portfolio', Portfolio, {
  actions: (
    <PictureFileButton label="Add pictures" icon="plus" multiple onFiles={portfolioUploads.add} />
  ),
});

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
        <PictureFileButton
          label="Add your first pictures"
          multiple
          onFiles={portfolioUploads.add}
        />
      }
      itemName={pictureName}
      dialog={(image) => (
        // The API calls the description `title`.
        <FormDialog
          title="Describe this picture"
          schema={ImageChanges}
          defaultValues={{ title: image.title }}
          draftName={`picture ${image.id}`}
          saveLabel="Save"
          onSave={(changes) => savePicture(image.id, changes)}
        >
          <Picture
            image={image}
            sizes="16rem"
            className="mb-2 h-48 w-full rounded-lg border border-line bg-flash"
            fit="contain"
          />
          <TextAreaField
            name="title"
            label="Description"
            hint="Describe what one sees; people who cannot see it hear this."
            rows={3}
          />
        </FormDialog>
      )}
      Card={PictureCard}
    />
  );
}

const MAX_NAME_LENGTH = 60;

/** Names a picture by the start of its description, or by its number in the list. */
function pictureName({ title }: UploadedImage, position: number): string {
  if (title === '') return `picture ${position + 1}`;
  return title.length > MAX_NAME_LENGTH ? `${title.slice(0, MAX_NAME_LENGTH)}…` : title;
}

function PictureCard({ item: image, name, dragHandle, menuActions }: CardProps<UploadedImage>) {
  const { id, title } = image;
  return (
    <article aria-label={name} className="card flex h-full flex-col">
      <Picture
        image={image}
        sizes="(width >= 80rem) 15rem, (width >= 40rem) 30vw, 46vw"
        className="aspect-square rounded-t-xl border-b border-line bg-flash"
        fit="cover"
      />
      <div className="flex-1 px-3 pt-2 sm:px-4">
        {title ? (
          <p className="line-clamp-2 text-sm">{title}</p>
        ) : (
          <AddDescriptionButton id={id} name={name} />
        )}
      </div>
      <CardFooter id={id} name={name} dragHandle={dragHandle} actions={menuActions} />
    </article>
  );
}
