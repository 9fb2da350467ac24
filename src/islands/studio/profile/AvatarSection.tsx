import { useState } from 'react';
import type { CurrentArtist } from '#contract/artist.ts';
import { PictureFileButton } from '../artwork/PictureFileButton.tsx';
import { CropDialog } from './CropDialog.tsx';
import { type EditablePicture, readPicture } from './crop_picture.ts';

export function AvatarSection({ me }: { me: CurrentArtist }) {
  const [picture, setPicture] = useState<EditablePicture | null>(null);
  const [isReading, setIsReading] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);

  async function openCropDialog([file]: readonly File[]): Promise<void> {
    if (!file) return;
    setProblem(null);
    setIsReading(true);
    try {
      setPicture(await readPicture(file));
    } catch {
      setProblem('Only JPEG, PNG, WebP and AVIF pictures can be used');
    }
    setIsReading(false);
  }

  return (
    <>
      <div className="flex flex-wrap items-center gap-x-6 gap-y-4">
        <span className="block shrink-0 rounded-full border-2 border-main p-1">
          {me.avatar_url ? (
            <img
              src={me.avatar_url}
              alt="You, as clients see you"
              width="112"
              height="112"
              className="size-28 rounded-full bg-paper object-cover"
            />
          ) : (
            <span
              aria-hidden="true"
              className="grid size-28 place-items-center rounded-full bg-paper font-serif text-5xl uppercase"
            >
              {me.username.charAt(0)}
            </span>
          )}
        </span>
        <div className="grid min-w-0 flex-1 basis-56 justify-items-start gap-3">
          <p className="text-muted">It stands at the top of your page, as a circle.</p>
          <PictureFileButton
            label={me.avatar_url === null ? 'Choose a picture' : 'Choose another picture'}
            busy={isReading}
            className="button"
            onFiles={openCropDialog}
          />
          <p role="alert" className="field-error empty:hidden">
            {problem}
          </p>
        </div>
      </div>
      {picture && <CropDialog picture={picture} onClose={() => setPicture(null)} />}
    </>
  );
}
