import { useStore } from '@nanostores/react';
import { useEffect, useRef, useState } from 'react';
import type { ReceivedMessage } from '#contract/contact.ts';
import { mailtoHref } from '#domain/mail/email.ts';
import { block } from '#stores/studio/abuse.ts';
import {
  $messages,
  $messagesSkip,
  MESSAGES_PER_PAGE,
  markRead,
  removeMessage,
} from '#stores/studio/home.ts';
import { ConfirmDialog } from '../../dialog/ConfirmDialog.tsx';
import { Button, LinkButton, TextLink } from '../buttons.tsx';
import { Card } from '../Card.tsx';
import { LoadableView } from '../LoadableView.tsx';
import { Pagination } from '../Pagination.tsx';

const COUNT_AT_FIRST = 3;

/** The messages from the contact page; nothing while there are none. */
export function Messages() {
  const messages = useStore($messages);
  const skip = useStore($messagesSkip);
  const [isExpanded, setExpanded] = useState(false);
  const [hasRetried, setRetried] = useState(false);
  const [messageToDelete, setMessageToDelete] = useState<ReceivedMessage | null>(null);
  const hasDeleted = useRef(false);
  const heading = useRef<HTMLHeadingElement>(null);
  const { data: page, error } = messages;
  const shown = page?.data.slice(0, isExpanded ? MESSAGES_PER_PAGE : COUNT_AT_FIRST);
  const shownIds = shown?.map(({ id }) => id).join();
  useEffect(() => {
    if (shown) void markRead(shown);
    // Not `shown`, which is another array in each render.
  }, [shownIds]);
  useEffect(() => {
    if (page === undefined) return;
    // The browser focuses the body when the focused button disappears with its message.
    if (hasDeleted.current && document.activeElement === document.body) heading.current?.focus();
    hasDeleted.current = false;
  }, [page]);
  // Most artists have no messages: for them no spinner appears and disappears here.
  const isFirstLoad = !page && error === undefined && !isExpanded && !hasRetried;
  if (page?.count === 0 || isFirstLoad) return null;
  return (
    <Card id="messages" title={page ? `Messages (${page.count})` : 'Messages'} heading={heading}>
      <LoadableView
        value={messages}
        label="messages"
        onRetry={() => {
          setRetried(true);
          $messages.revalidate();
        }}
      >
        {({ data, count }) => (
          <>
            <ul className="grid gap-5">
              {shown?.map((message) => (
                <MessageRow
                  key={message.id}
                  message={message}
                  onDelete={() => setMessageToDelete(message)}
                />
              ))}
            </ul>
            {!isExpanded && data.length > COUNT_AT_FIRST ? (
              <Button
                label={`Show ${data.length - COUNT_AT_FIRST} more`}
                onClick={() => setExpanded(true)}
              />
            ) : (
              <Pagination
                skip={skip}
                limit={MESSAGES_PER_PAGE}
                count={count}
                label="messages"
                onSkipChange={(newSkip) => $messagesSkip.set(newSkip)}
              />
            )}
          </>
        )}
      </LoadableView>
      {messageToDelete && (
        <ConfirmDialog
          title="Delete this message?"
          confirmLabel="Delete message"
          danger
          onConfirm={() => {
            hasDeleted.current = true;
            return removeMessage(messageToDelete);
          }}
          onClose={() => setMessageToDelete(null)}
        >
          <p>{`What ${messageToDelete.name} wrote cannot be brought back.`}</p>
        </ConfirmDialog>
      )}
    </Card>
  );
}

function MessageRow({ message, onDelete }: { message: ReceivedMessage; onDelete: () => void }) {
  const { name, email, message: text } = message;
  const reply = `${mailtoHref(email)}?subject=${encodeURIComponent('Your message')}`;
  return (
    <li className="border-t border-line pt-4 first:border-t-0 first:pt-0">
      <p className="font-semibold wrap-anywhere">{name}</p>
      <p className="whitespace-pre-line wrap-anywhere">{text}</p>
      <div className="mt-1 flex flex-wrap gap-x-5">
        <TextLink label="Reply" labelEnd={` to ${name}`} href={reply} />
        <LinkButton label="Block" labelEnd={` ${email}`} onClick={() => block({ email })} />
        <LinkButton label="Delete" labelEnd={` the message of ${name}`} onClick={onDelete} />
      </div>
    </li>
  );
}
