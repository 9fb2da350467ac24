import type { ReactNode } from 'react';
import { openDialog } from '#stores/studio/dialog.ts';
import { Menu, type MenuAction } from '../Menu.tsx';

interface CardFooterProps {
  id: string;
  name: string;
  dragHandle: ReactNode;
  actions: readonly MenuAction[];
}

/** What can be done with a design or a picture, along the foot of its card. */
export function CardFooter({ id, name, dragHandle: grip, actions }: CardFooterProps) {
  return (
    <div className="flex items-center p-1 sm:p-2">
      {grip}
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
