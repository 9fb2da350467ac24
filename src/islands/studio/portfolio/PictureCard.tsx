import type { UploadedImage } from '#contract/image.ts';
import { Picture } from '../../pictures/Picture.tsx';
import { AddDescriptionButton } from '../artwork/AddDescriptionButton.tsx';
import { CardFooter } from '../artwork/CardFooter.tsx';
import type { CardProps } from '../sortable/SortableList.tsx';

interface PictureCardProps extends CardProps {
  image: UploadedImage;
}

export function PictureCard({ image, name, dragHandle, menuActions }: PictureCardProps) {
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
