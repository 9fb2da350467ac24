import type { ReactNode } from 'react';
import type { UploadedImage } from '#contract/image.ts';
import { openDialog } from '#stores/studio/dialog.ts';
import { portfolio } from '#stores/studio/portfolio.ts';
import { Picture } from '../../pictures/Picture.tsx';
import { AddDescriptionButton } from '../artwork/AddDescriptionButton.tsx';
import { CardFooter } from '../artwork/CardFooter.tsx';
import type { MenuAction } from '../Menu.tsx';

interface PictureCardProps {
  image: UploadedImage;
  name: string;
  dragHandle: ReactNode;
  moveActions: readonly MenuAction[];
}

export function PictureCard({
  image,
  name,
  dragHandle: grip,
  moveActions: moves,
}: PictureCardProps) {
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
          <AddDescriptionButton name={name} onClick={() => openDialog(id)} />
        )}
      </div>
      <CardFooter
        id={id}
        name={name}
        dragHandle={grip}
        actions={[
          ...moves,
          { label: 'Delete', danger: true, onSelect: () => portfolio.remove(id, name) },
        ]}
      />
    </article>
  );
}
