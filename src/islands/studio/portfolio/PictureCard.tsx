import type { ReactNode } from 'react';
import type { UploadedImage } from '#contract/image.ts';
import { open } from '#stores/studio/opened.ts';
import { portfolio } from '#stores/studio/portfolio.ts';
import { Picture } from '../../pictures/Picture.tsx';
import { CardFoot } from '../artwork/CardFoot.tsx';
import { MissingDescription } from '../artwork/MissingDescription.tsx';
import type { MenuAction } from '../Menu.tsx';

interface PictureCardProps {
  image: UploadedImage;
  name: string;
  grip: ReactNode;
  moves: readonly MenuAction[];
}

export function PictureCard({ image, name, grip, moves }: PictureCardProps) {
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
          <MissingDescription name={name} onDescribe={() => open(id)} />
        )}
      </div>
      <CardFoot
        id={id}
        name={name}
        grip={grip}
        actions={[
          ...moves,
          { label: 'Delete', danger: true, run: () => portfolio.remove(id, name) },
        ]}
      />
    </article>
  );
}
