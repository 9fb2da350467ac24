import { type ClientActionCall, keptFormName } from '#client/client_action.ts';
import type { Elements } from '../elements.ts';
import { BusyButton } from '../forms/BusyButton.tsx';

interface ActionFormProps {
  kind: ClientActionCall['kind'];
  /** The appointment's version that the client sees; left out where the action needs none. */
  version?: number;
  className?: string;
  /** The appointment's id, if the text of the form is kept until it is sent (KeptForms.astro). */
  keptFor?: string;
  /** The action that is being sent; null for none. */
  running: ClientActionCall['kind'] | null;
  /** Runs the action in the browser, with the values of the form. */
  onAct: (form: FormData) => void;
  button: string;
  buttonClass?: string;
  children?: Elements;
}

/**
 * The form of an action. Before its island is hydrated, and without JavaScript, the browser posts it to
 * the page's own address (`_client_action.ts`).
 */
export function ActionForm(props: ActionFormProps) {
  const { kind, version, className, keptFor, running, onAct, children, button } = props;
  const { buttonClass = 'button w-full' } = props;
  return (
    <form
      method="post"
      // Browsers refuse emails that the API reads, such as `Rosa <rosa@example.com>`.
      noValidate
      // For global.css: the button works before the island is hydrated, so it must not look disabled.
      data-posts
      data-keep={keptFor && keptFormName(keptFor, kind)}
      onSubmit={(event) => {
        event.preventDefault();
        onAct(new FormData(event.currentTarget));
      }}
    >
      <input type="hidden" name="action" value={kind} />
      {version !== undefined && <input type="hidden" name="version" value={version} />}
      <div className={className}>
        {children}
        <BusyButton type="submit" className={buttonClass} busy={running === kind}>
          {button}
        </BusyButton>
      </div>
    </form>
  );
}
