import { useStore } from '@nanostores/react';
import { type RefObject, useEffect, useRef, useState } from 'react';
import type { ListPage } from '#contract/common.ts';
import type { ReceivedMessage } from '#contract/contact.ts';
import { $messages, $messagesSkip, MESSAGES_PER_PAGE, removeMessage } from '#stores/studio/home.ts';
import { ConfirmDialog } from '../../dialog/ConfirmDialog.tsx';
import { LoadableView } from '../LoadableView.tsx';
import { Pagination } from '../Pagination.tsx';

const INITIAL_COUNT = 3;

/** What visitors wrote on the contact page; nothing while there is none. */
export function Messages() {
  const messages = useStore($messages);
  const [all, setAll] = useState(false);
  const [retried, setRetried] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  const { data, error } = messages;
  // Most artists have none: for them nothing comes and goes here.
  if (data?.count === 0 || (!data && error === undefined && !all && !retried)) return null;
  return (
    <section aria-labelledby="messages" className="card grid gap-3 p-5">
      <h2
        ref={heading}
        id="messages"
        tabIndex={-1}
        className="text-xl outline-none focus-visible:shadow-none"
      >
        Messages{data && ` (${data.count})`}
      </h2>
      <LoadableView
        value={messages}
        label="messages"
        onRetry={() => {
          setRetried(true);
          $messages.revalidate();
        }}
      >
        {(listed) => (
          <MessageList
            listed={listed}
            isExpanded={all}
            onExpand={() => setAll(true)}
            headingRef={heading}
          />
        )}
      </LoadableView>
    </section>
  );
}

interface MessageListProps {
  listed: ListPage<ReceivedMessage>;
  isExpanded: boolean;
  onExpand: () => void;
  headingRef: RefObject<HTMLElement | null>;
}

function MessageList({
  listed: { data, count },
  isExpanded: all,
  onExpand: onAll,
  headingRef: heading,
}: MessageListProps) {
  const skip = useStore($messagesSkip);
  const [leaving, setLeaving] = useState<ReceivedMessage | null>(null);
  const hasDeleted = useRef(false);
  useEffect(() => {
    // The button that was pressed is gone with its message.
    if (hasDeleted.current && document.activeElement === document.body) heading.current?.focus();
    hasDeleted.current = false;
  }, [data, heading]);
  const shown = all ? data : data.slice(0, INITIAL_COUNT);
  return (
    <>
      <ul className="grid gap-5">
        {shown.map((message) => (
          <MessageRow key={message.id} message={message} onDelete={() => setLeaving(message)} />
        ))}
      </ul>
      {shown.length < data.length ? (
        <button type="button" className="button" onClick={onAll}>
          Show {data.length - shown.length} more
        </button>
      ) : (
        <Pagination
          skip={skip}
          limit={MESSAGES_PER_PAGE}
          count={count}
          label="messages"
          onSkipChange={(to) => $messagesSkip.set(to)}
        />
      )}
      {leaving && (
        <ConfirmDialog
          title="Delete this message?"
          confirmLabel="Delete message"
          danger
          onConfirm={() => {
            hasDeleted.current = true;
            return removeMessage(leaving);
          }}
          onClose={() => setLeaving(null)}
        >
          <p>What {leaving.name} wrote cannot be brought back.</p>
        </ConfirmDialog>
      )}
    </>
  );
}

function MessageRow({ message, onDelete }: { message: ReceivedMessage; onDelete: () => void }) {
  const { name, email, message: text } = message;
  const reply = `mailto:${encodeURIComponent(email)}?subject=${encodeURIComponent('Your message')}`;
  return (
    <li className="border-t border-line pt-4 first:border-t-0 first:pt-0">
      <p className="font-semibold wrap-anywhere">{name}</p>
      <p className="whitespace-pre-line wrap-anywhere">{text}</p>
      <div className="mt-1 flex flex-wrap gap-x-5">
        <a className="link inline-flex min-h-11 items-center" href={reply}>
          Reply<span className="sr-only"> to {name}</span>
        </a>
        <button
          type="button"
          className="link inline-flex min-h-11 cursor-pointer items-center"
          onClick={onDelete}
        >
          Delete<span className="sr-only"> the message of {name}</span>
        </button>
      </div>
    </li>
  );
}
