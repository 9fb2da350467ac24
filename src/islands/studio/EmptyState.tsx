import type { Elements } from '../elements.ts';

/** Shown in place of an empty list; `children` name the next step. */
export function EmptyState({ title, children }: { title: string; children: Elements }) {
  return (
    <div className="card grid justify-items-center gap-3 px-6 py-12 text-center">
      <p className="font-serif text-xl">{title}</p>
      <div className="grid max-w-prose justify-items-center gap-4 text-muted">{children}</div>
    </div>
  );
}
