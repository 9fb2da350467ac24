import type { ReactNode } from 'react';
import { Icon } from './Icon.tsx';

interface NoticeProps {
  /** By default: an alert in the color of danger. Else a clock. */
  isUrgent?: boolean;
  children: ReactNode;
}

/** A sentence that stands out at the top of a page. */
export function Notice({ isUrgent = true, children }: NoticeProps) {
  return (
    <p
      className={`card flex items-start gap-3 border-l-4 p-4 ${isUrgent ? 'border-l-danger' : 'border-l-main'}`}
    >
      <Icon
        name={isUrgent ? 'alert' : 'hours'}
        className={`mt-0.5 size-5 ${isUrgent ? 'text-danger' : ''}`}
      />
      <span className="wrap-anywhere">{children}</span>
    </p>
  );
}
