import type { ReactNode, Ref } from 'react';

interface DisclosureProps {
  title: string;
  isOpen?: boolean;
  titleRef?: Ref<HTMLElement>;
  children: ReactNode;
}

/** A part of the page that opens on a tap, without JavaScript, too. */
export function Disclosure({ title, isOpen = false, titleRef, children }: DisclosureProps) {
  return (
    <details className="card" open={isOpen}>
      <summary
        ref={titleRef}
        className="flex min-h-11 cursor-pointer items-center justify-between gap-3 px-4 py-3 font-semibold wrap-anywhere after:text-xl after:content-['+'_/_''] [[open]>&]:after:content-['–'_/_'']"
      >
        {title}
      </summary>
      <div className="px-4 pb-4">{children}</div>
    </details>
  );
}
