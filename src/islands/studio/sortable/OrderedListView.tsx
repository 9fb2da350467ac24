import { useStore } from '@nanostores/react';
import { Fragment, type ReactElement, useEffect, useState } from 'react';
import { MAX_PAGE_SIZE } from '#domain/requests/list_limits.ts';
import { $dialog, restoreDialog } from '#stores/studio/dialog.ts';
import type { UploadQueue } from '#stores/studio/uploads.ts';
import { DropZone } from '../artwork/DropZone.tsx';
import { UploadList } from '../artwork/UploadList.tsx';
import { EmptyState } from '../EmptyState.tsx';
import { LoadableView, useAllLoaded } from '../LoadableView.tsx';
import { Pagination } from '../Pagination.tsx';
import { SortableList, type SortableListProps } from './SortableList.tsx';

interface OrderedListViewProps<T extends { readonly id: string }>
  extends Pick<SortableListProps<T>, 'list' | 'layout' | 'itemName' | 'Card'> {
  label: string;
  /** The list's name for screen readers; by default `label`. */
  listLabel?: string;
  intro: string;
  /** For lists of pictures: the queue that adds files to the list. */
  uploads?: UploadQueue;
  emptyTitle: string;
  emptyText: string;
  emptyAction: ReactElement;
  /** Renders the dialog about an item, when its id is in `$dialog`. */
  dialog: (item: T) => ReactElement;
}

/** The artist's designs, portfolio or services, to be sorted, with running uploads and the open dialog. */
export function OrderedListView<T extends { readonly id: string }>(props: OrderedListViewProps<T>) {
  const { label, listLabel = label, intro, list, uploads, dialog, ...others } = props;
  const { emptyTitle, emptyText, emptyAction, ...sortableListProps } = others;
  const page = useStore(list.$list);
  const skip = useStore(list.$skip);
  const dialogId = useStore($dialog);
  useEffect(restoreDialog, []);

  const isLoaded = useAllLoaded(page);
  const items = page.data?.data ?? [];
  const foundItem = items.find(({ id }) => id === dialogId);
  // The dialog about an item that is deleted elsewhere stays open with the texts in it.
  const [lastItem, setLastItem] = useState(foundItem);
  if (foundItem && foundItem !== lastItem) setLastItem(foundItem);
  const dialogItem = foundItem ?? (lastItem?.id === dialogId ? lastItem : undefined);
  return (
    <div className="flex min-w-0 flex-col gap-6">
      {uploads && <DropZone onFiles={uploads.add} />}
      <LoadableView value={page} label={label} onRetry={list.reload}>
        {({ count }) =>
          count === 0 ? (
            <EmptyState title={emptyTitle}>
              <p>{emptyText}</p>
              {emptyAction}
            </EmptyState>
          ) : (
            <>
              <p className="max-w-prose text-muted">
                <span>{`${intro} Drag to change the order. `}</span>
                {uploads && (
                  <span className="pointer-coarse:hidden">
                    Drop pictures anywhere on this page to add them.
                  </span>
                )}
              </p>
              <SortableList
                {...sortableListProps}
                label={listLabel}
                list={list}
                items={items}
                count={count}
              />
              <Pagination
                skip={skip}
                limit={MAX_PAGE_SIZE}
                count={count}
                label={label}
                onSkipChange={(skip) => list.$skip.set(skip)}
              />
            </>
          )
        }
      </LoadableView>
      {isLoaded && uploads && <UploadList queue={uploads} />}
      {dialogItem && <Fragment key={dialogItem.id}>{dialog(dialogItem)}</Fragment>}
    </div>
  );
}
