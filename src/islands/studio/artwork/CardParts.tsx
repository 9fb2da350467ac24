import type { ReactElement } from 'react';
import { openDialog } from '#stores/studio/dialog.ts';
import { LinkButton } from '../buttons.tsx';
import { Menu, type MenuAction } from '../Menu.tsx';

interface CardFooterProps {
  id: string;
  name: string;
  dragHandle: ReactElement;
  actions: readonly MenuAction[];
}

/** The buttons at the foot of a design's or picture's card; `Edit` opens the dialog about `id`. */
export function CardFooter({ id, name, dragHandle, actions }: CardFooterProps) {
  return (
    <div className="flex flex-wrap items-center p-1 sm:p-2">
      {dragHandle}
      <button
        type="button"
        className="ml-auto min-h-11 cursor-pointer rounded-md px-3 font-semibold hover:bg-paper"
        aria-label={`Edit ${name}`}
        onClick={() => openDialog(id)}
      >
        Edit
      </button>
      <Menu label={`More for ${name}`} actions={actions} />
    </div>
  );
}

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
