import type { Elements } from '../elements.ts';

interface ListRowProps {
  title: string;
  text: string;
  children: Elements;
}

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
