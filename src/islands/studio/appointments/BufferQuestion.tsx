import { useStore } from '@nanostores/react';
import { $bufferQuestion } from '#stores/studio/appointment_time.ts';
import { ConfirmDialog } from '../../dialog/ConfirmDialog.tsx';

/** Asks the artist whether the time that they set may touch a buffer; nothing while nothing is asked. */
export function BufferQuestion() {
  const answer = useStore($bufferQuestion);
  if (answer === null) return null;
  return (
    <ConfirmDialog
      title="Leave no buffer?"
      confirmLabel="Leave no buffer"
      cancelLabel="Pick another time"
      onConfirm={async () => answer(true)}
      onClose={() => answer(false)}
    >
      <p>
        The time overlaps no appointment, only the buffer beside one. Both appointments stay; only
        the buffer between them becomes shorter.
      </p>
    </ConfirmDialog>
  );
}
