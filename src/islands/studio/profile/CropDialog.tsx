import 'react-image-crop/dist/ReactCrop.css';
import { useStore } from '@nanostores/react';
import { useState } from 'react';
import { centerCrop, makeAspectCrop, type PercentCrop, ReactCrop } from 'react-image-crop';
import { errorText } from '#stores/error_text.ts';
import { $avatarProgress, saveAvatar } from '#stores/studio/profile.ts';
import { Dialog } from '../../dialog/Dialog.tsx';
import { BusyButton } from '../../forms/BusyButton.tsx';
import { Button } from '../buttons.tsx';
import { cropSquare, type EditablePicture } from './crop_picture.ts';

const INITIAL_CROP_PERCENT = 90;
const CROP_LABELS = {
  cropArea: 'The part that is shown; arrow keys move it',
  nwDragHandle: 'Top left corner; arrow keys resize',
  nDragHandle: 'Top edge; arrow keys resize',
  neDragHandle: 'Top right corner; arrow keys resize',
  eDragHandle: 'Right edge; arrow keys resize',
  seDragHandle: 'Bottom right corner; arrow keys resize',
  sDragHandle: 'Bottom edge; arrow keys resize',
  swDragHandle: 'Bottom left corner; arrow keys resize',
  wDragHandle: 'Left edge; arrow keys resize',
};

interface CropDialogProps {
  picture: EditablePicture;
  onClose: () => void;
}

/** Lets the artist choose the square of a picture that becomes the avatar, and uploads it. */
export function CropDialog({ picture, onClose }: CropDialogProps) {
  const [crop, setCrop] = useState(() => initialCrop(picture.canvas));
  const [upload] = useState(() => new AbortController());
  const [isSaving, setIsSaving] = useState(false);
  const progress = useStore($avatarProgress);
  const [problem, setProblem] = useState<string | null>(null);

  async function save(): Promise<void> {
    setProblem(null);
    setIsSaving(true);
    try {
      await saveAvatar(await cropSquare(picture, crop), upload.signal);
      onClose();
    } catch (error) {
      // Cancelled: the dialog is closed.
      if (upload.signal.aborted) return;
      setProblem(errorText(error));
      setIsSaving(false);
    }
  }

  function cancel(): void {
    upload.abort();
    onClose();
  }

  return (
    <Dialog title="Crop your picture" onClose={cancel}>
      <div className="grid gap-4">
        <p className="text-muted">
          Drag the circle to move it, and its corners to zoom. The arrow keys work too.
        </p>
        <div className="flex justify-center rounded-lg bg-card p-3">
          <ReactCrop
            crop={crop}
            aspect={1}
            circularCrop
            keepSelection
            minWidth={48}
            disabled={isSaving}
            ariaLabels={CROP_LABELS}
            className="max-h-[45dvh] [--rc-drag-handle-bg-colour:#f2b705] [--rc-drag-handle-mobile-size:28px] [--rc-drag-handle-size:24px]"
            onChange={(_, percent) => setCrop(percent)}
          >
            <img src={picture.url} alt="What you chose" />
          </ReactCrop>
        </div>
        <p role="alert" className="text-danger empty:hidden">
          {problem}
        </p>
        <div className="flex flex-wrap items-center gap-3">
          <BusyButton busy={isSaving} className="button button-main" onClick={save}>
            {isSaving ? 'Saving…' : 'Use this picture'}
          </BusyButton>
          <Button label="Cancel" look="quiet" onClick={cancel} />
          {progress !== null && (
            <div className="flex items-center gap-3">
              <progress
                aria-label="Sending the picture"
                max={1}
                value={progress}
                className="h-2 w-32 appearance-none overflow-hidden rounded-full bg-line [&::-moz-progress-bar]:bg-main [&::-webkit-progress-bar]:bg-line [&::-webkit-progress-value]:bg-main"
              />
              <p className="text-sm text-muted">
                {progress < 1 ? `${Math.round(progress * 100)}%` : 'Preparing…'}
              </p>
            </div>
          )}
        </div>
      </div>
    </Dialog>
  );
}

/** A centered square over `INITIAL_CROP_PERCENT` of the shorter side. */
function initialCrop({ width, height }: HTMLCanvasElement): PercentCrop {
  const widthPercent = INITIAL_CROP_PERCENT * Math.min(1, height / width);
  const crop = makeAspectCrop({ unit: '%', width: widthPercent }, 1, width, height);
  return centerCrop(crop, width, height);
}
