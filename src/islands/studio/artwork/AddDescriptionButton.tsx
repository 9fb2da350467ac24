import { openDialog } from '#stores/studio/dialog.ts';
import { LinkButton } from '../buttons.tsx';

/** Reminds the artist of the missing description, which screen readers need. */
export function AddDescriptionButton({ id, name }: { id: string; name: string }) {
  return (
    <LinkButton
      label="Add a description"
      className="text-left text-sm"
      aria-label={`Add a description of ${name}`}
      onClick={() => openDialog(id)}
    />
  );
}
