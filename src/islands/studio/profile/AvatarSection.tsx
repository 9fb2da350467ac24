import { useRef, useState } from 'react';
import type { CurrentArtist } from '#contract/artist.ts';
import { PICTURE_TYPES } from '#stores/studio/uploads.ts';
import { BusyButton } from '../../forms/BusyButton.tsx';
import { Section } from '../Section.tsx';
import { CropDialog } from './CropDialog.tsx';
import { type EditablePicture, readPicture } from './crop_picture.ts';

/** The picture at the top of the public page. */
export function AvatarSection({ me }: { me: CurrentArtist }) {
  const input = useRef<HTMLInputElement>(null);
  const [picture, setPicture] = useState<EditablePicture | null>(null);
  const [opening, setOpening] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);

  async function open(file: File): Promise<void> {
    setProblem(null);
    setOpening(true);
    try {
      setPicture(await readPicture(file));
    } catch {
      setProblem('Only JPEG, PNG, WebP and AVIF pictures can be used');
    }
    setOpening(false);
  }

  return (
    <Section id="picture" title="Picture">
      <div className="flex flex-wrap items-center gap-x-6 gap-y-4">
        <Avatar me={me} />
        <div className="grid min-w-0 flex-1 basis-56 justify-items-start gap-3">
          <p className="text-muted">It stands at the top of your page, as a circle.</p>
          <BusyButton busy={opening} onClick={() => input.current?.click()}>
            {me.avatar_url === null ? 'Choose a picture' : 'Choose another picture'}
          </BusyButton>
          <input
            ref={input}
            type="file"
            hidden
            // A phone that takes pictures in another format hands them out as one of these.
            accept={PICTURE_TYPES.join()}
            onChange={({ currentTarget }) => {
              const [file] = currentTarget.files ?? [];
              // So that choosing the same file again is heard.
              if (file) void open(file);
              currentTarget.value = '';
            }}
          />
          <p role="alert" className="field-error empty:hidden">
            {problem}
          </p>
        </div>
      </div>
      {picture && <CropDialog picture={picture} onClose={() => setPicture(null)} />}
    </Section>
  );
}

function Avatar({ me: { avatar_url, username } }: { me: CurrentArtist }) {
  return (
    <span className="block shrink-0 rounded-full border-2 border-main p-1">
      {avatar_url ? (
        <img
          src={avatar_url}
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
          {username.charAt(0)}
        </span>
      )}
    </span>
  );
}
