import type { Elements } from '../elements.ts';

interface SectionProps {
  /** The target of links such as `#password`. */
  id: string;
  title: string;
  children: Elements;
}

export function Section({ id, title, children }: SectionProps) {
  return (
    <section
      id={id}
      aria-labelledby={`${id}-title`}
      className="card grid grid-cols-1 scroll-mt-6 content-start gap-5 p-5 sm:p-6"
    >
      <h2 id={`${id}-title`} className="text-xl">
        {title}
      </h2>
      {children}
    </section>
  );
}
