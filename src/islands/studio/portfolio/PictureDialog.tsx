import { ImageChanges, type UploadedImage } from '#contract/image.ts';
import { savePicture } from '#stores/studio/portfolio.ts';
import { TextAreaField } from '../../forms/fields.tsx';
import { Picture } from '../../pictures/Picture.tsx';
import { FormDialog } from '../FormDialog.tsx';

/** Edits the description (`title` in the API) of a portfolio picture. */
export function PictureDialog({ image }: { image: UploadedImage }) {
  return (
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
  );
}
