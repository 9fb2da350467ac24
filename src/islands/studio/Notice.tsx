import type { ReactNode } from 'react';
import { Icon, type IconName } from './Icon.tsx';

interface NoticeProps {
  icon?: IconName;
  isUrgent?: boolean;
  children: ReactNode;
}

/** A sentence that stands out at the top of a page; by default in the color of danger. */
export function Notice({ icon = 'alert', isUrgent = true, children }: NoticeProps) {
  return (
    <p
      className={`card flex items-start gap-3 border-l-4 p-4 ${isUrgent ? 'border-l-danger' : 'border-l-main'}`}
    >
      <Icon name={icon} className={`mt-0.5 size-5 ${isUrgent ? 'text-danger' : ''}`} />
      <span className="wrap-anywhere">{children}</span>
    </p>
  );
}
