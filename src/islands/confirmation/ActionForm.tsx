import type { ReactNode } from 'react';
import type { ClientActionCall } from '#client/client_action.ts';

interface ActionFormProps {
  kind: ClientActionCall['kind'];
  /** The appointment's version that the client sees; left out where the action needs none. */
  version?: number;
  className?: string;
  /** Runs the action in the browser, with what is typed into the form. */
  onAct: (form: FormData) => void;
  children: ReactNode;
}

/**
 * The form of an action. Before its island is hydrated, and without JavaScript, the browser posts it to
 * the page's own address (`_client_action.ts`).
 */
export function ActionForm({ kind, version, className, onAct, children }: ActionFormProps) {
  return (
    <form
      method="post"
      // Its button does not look disabled before the island is hydrated (global.css).
      data-posts
      onSubmit={(event) => {
        event.preventDefault();
        onAct(new FormData(event.currentTarget));
      }}
    >
      <input type="hidden" name="action" value={kind} />
      {version !== undefined && <input type="hidden" name="version" value={version} />}
      <div className={className}>{children}</div>
    </form>
  );
}
