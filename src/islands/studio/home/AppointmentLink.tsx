import type { Elements } from '../../elements.ts';

interface AppointmentLinkProps {
  href: string;
  name: string;
  text?: string | null;
  children?: Elements;
  note?: string;
  actions?: Elements;
}

/** A list item that links to an appointment or a client. `actions` are below the link. */
export function AppointmentLink(props: AppointmentLinkProps) {
  const { href, name, text, children, note, actions } = props;
  return (
    <li className="border-t border-line first:border-t-0">
      <a
        href={href}
        className="-mx-2 block min-h-11 rounded-md px-2 py-2.5 wrap-anywhere hover:bg-paper"
      >
        <span className="font-semibold underline decoration-main decoration-2 underline-offset-4">
          {name}
        </span>
        {text && <span className="block">{text}</span>}
        {children}
        {note && <span className="block text-sm text-muted">{note}</span>}
      </a>
      {actions && <div className="pt-1 pb-3">{actions}</div>}
    </li>
  );
}
