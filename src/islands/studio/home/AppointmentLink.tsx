import type { Elements } from '../../elements.ts';

interface AppointmentLinkProps {
  href: string;
  name: string;
  children: Elements;
  actions?: Elements;
}

/** A list item that links to an appointment or a client: the client's name, and `children` as more lines. */
export function AppointmentLink({ href, name, children, actions }: AppointmentLinkProps) {
  return (
    <li className="border-t border-line first:border-t-0">
      <a
        href={href}
        className="-mx-2 block min-h-11 rounded-md px-2 py-2.5 wrap-anywhere hover:bg-paper"
      >
        <span className="font-semibold underline decoration-main decoration-2 underline-offset-4">
          {name}
        </span>
        {children}
      </a>
      {actions && <div className="pt-1 pb-3">{actions}</div>}
    </li>
  );
}
