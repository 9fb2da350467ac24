import type { Elements } from '../elements.ts';

interface ListRowProps {
  title: string;
  text: string;
  children: Elements;
}

/** An item of a list: a title above a text, and buttons beside them. */
export function ListRow({ title, text, children }: ListRowProps) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-3 py-3">
      <span className="min-w-0 wrap-anywhere">
        <span className="font-semibold">{title}</span>
        <span className="block text-sm text-muted">{text}</span>
      </span>
      {children}
    </li>
  );
}
