import type { ReactNode } from 'react';
import { open } from '#stores/studio/opened.ts';
import { Menu, type MenuAction } from '../Menu.tsx';

interface CardFootProps {
  id: string;
  name: string;
  grip: ReactNode;
  actions: readonly MenuAction[];
}

/** What can be done with a design or a picture, along the foot of its card. */
export function CardFoot({ id, name, grip, actions }: CardFootProps) {
  return (
    <div className="flex items-center p-1 sm:p-2">
      {grip}
      <button
        type="button"
        className="ml-auto min-h-11 cursor-pointer rounded-md px-3 font-semibold hover:bg-paper"
        aria-label={`Edit ${name}`}
        onClick={() => open(id)}
      >
        Edit
      </button>
      <Menu label={`More for ${name}`} actions={actions} />
    </div>
  );
}
