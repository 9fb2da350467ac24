import type { ReactNode } from 'react';

/** A part of the page that opens on a tap, without JavaScript, too. */
export function Disclosure({
  title,
  isOpen = false,
  children,
}: {
  title: string;
  isOpen?: boolean;
  children: ReactNode;
}) {
  return (
    <details className="group card" open={isOpen}>
      <summary className="flex min-h-11 cursor-pointer items-center justify-between gap-3 px-4 py-3 font-semibold wrap-anywhere after:text-xl after:content-['+'_/_''] group-open:after:content-['–'_/_'']">
        {title}
      </summary>
      <div className="px-4 pb-4">{children}</div>
    </details>
  );
}
