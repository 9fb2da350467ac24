import type { ComponentProps } from 'react';

/** A button that looks like a link. */
export function LinkButton({ className = '', ...attributes }: ComponentProps<'button'>) {
  const look = 'link inline-flex min-h-11 cursor-pointer items-center';
  return <button type="button" className={`${look} ${className}`} {...attributes} />;
}
