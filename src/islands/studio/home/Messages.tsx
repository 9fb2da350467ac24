import { useStore } from '@nanostores/react';
import { type RefObject, useEffect, useRef, useState } from 'react';
import type { ListPage } from '#contract/common.ts';
import type { ReceivedMessage } from '#contract/contact.ts';
import { $messages, $messagesSkip, dropMessage, MESSAGES_LIMIT } from '#stores/studio/home.ts';
import { Question } from '../../dialog/Question.tsx';
import { Pager } from '../Pager.tsx';
import { Reading } from '../Reading.tsx';

const AT_FIRST = 3;

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
      <Reading
        value={messages}
        what="messages"
        onRetry={() => {
          setRetried(true);
          $messages.revalidate();
        }}
      >
        {(listed) => (
          <Page listed={listed} all={all} onAll={() => setAll(true)} heading={heading} />
        )}
      </Reading>
    </section>
  );
}

interface PageProps {
  listed: ListPage<ReceivedMessage>;
  all: boolean;
  onAll: () => void;
  heading: RefObject<HTMLElement | null>;
}

function Page({ listed: { data, count }, all, onAll, heading }: PageProps) {
  const skip = useStore($messagesSkip);
  const [leaving, setLeaving] = useState<ReceivedMessage | null>(null);
  const hasDeleted = useRef(false);
  useEffect(() => {
    // The button that was pressed is gone with its message.
    if (hasDeleted.current && document.activeElement === document.body) heading.current?.focus();
    hasDeleted.current = false;
  }, [data, heading]);
  const shown = all ? data : data.slice(0, AT_FIRST);
  return (
    <>
      <ul className="grid gap-5">
        {shown.map((message) => (
          <Message key={message.id} message={message} onDelete={() => setLeaving(message)} />
        ))}
      </ul>
      {shown.length < data.length ? (
        <button type="button" className="button" onClick={onAll}>
          Show {data.length - shown.length} more
        </button>
      ) : (
        <Pager
          skip={skip}
          limit={MESSAGES_LIMIT}
          count={count}
          what="messages"
          onSkip={(to) => $messagesSkip.set(to)}
        />
      )}
      {leaving && (
        <Question
          title="Delete this message?"
          yes="Delete message"
          danger
          onYes={() => {
            hasDeleted.current = true;
            return dropMessage(leaving);
          }}
          onClose={() => setLeaving(null)}
        >
          <p>What {leaving.name} wrote cannot be brought back.</p>
        </Question>
      )}
    </>
  );
}

function Message({ message, onDelete }: { message: ReceivedMessage; onDelete: () => void }) {
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
