import type { ComponentProps, Ref } from 'react';
import type { Elements } from '../elements.ts';
import { Icon } from './Icon.tsx';

interface CardProps extends Pick<ComponentProps<'section'>, 'role'> {
  /** Of the heading. */
  id: string;
  title: string;
  isWarning?: boolean;
  /** For a card that takes the focus when the focused element in it is gone. */
  heading?: Ref<HTMLHeadingElement>;
  children: Elements;
}

export function Card({ role, id, title, isWarning = false, heading, children }: CardProps) {
  return (
    <section
      role={role}
      aria-labelledby={id}
      className={`card grid gap-3 p-5 ${isWarning ? 'border-l-4 border-l-danger' : ''}`}
    >
      <h2
        ref={heading}
        id={id}
        tabIndex={heading ? -1 : undefined}
        className="flex scroll-mt-11 items-center gap-2 text-xl"
      >
        {isWarning && <Icon name="alert" className="size-6 text-danger" />}
        <span>{title}</span>
      </h2>
      {children}
    </section>
  );
}
