import type { ReactNode } from 'react';
import type { ListPage } from '#contract/common.ts';
import { MAX_PAGE_SIZE } from '#stores/studio/ordered_list.ts';
import type { FileUpload } from '#stores/studio/uploads.ts';
import { LoadableView } from '../LoadableView.tsx';
import type { MenuAction } from '../Menu.tsx';
import { Pagination } from '../Pagination.tsx';
import { SortableList } from '../sortable/SortableList.tsx';
import { DropZone } from './DropZone.tsx';
import { UploadList } from './UploadList.tsx';

interface PictureGalleryProps<T> {
  /** What these are, in the plural. */
  label: string;
  /** What stands above them. */
  intro: string;
  list: { data?: ListPage<T>; error?: unknown; loading: boolean };
  skip: number;
  uploads: readonly FileUpload[];
  /** What there is to see while there are none. */
  emptyState: ReactNode;
  itemName: (item: T) => string;
  actions: {
    retry: () => void;
    move: (id: string, target: string | number) => void;
    turnTo: (skip: number) => void;
    add: (files: readonly File[]) => void;
    retryUpload: (id: number) => void;
    removeUpload: (id: number) => void;
  };
  children: (item: T, grip: ReactNode, moves: readonly MenuAction[]) => ReactNode;
}

/** Pictures in the artist's order, and those on their way to it. */
export function PictureGallery<T extends { readonly id: string }>({
  label: what,
  intro,
  list,
  skip,
  uploads,
  emptyState: none,
  itemName: nameOf,
  actions,
  children,
}: PictureGalleryProps<T>) {
  return (
    <>
      <DropZone onFiles={actions.add} />
      <UploadList uploads={uploads} onRetry={actions.retryUpload} onRemove={actions.removeUpload} />
      <LoadableView value={list} label={what} onRetry={actions.retry}>
        {({ data, count }) =>
          count === 0 ? (
            none
          ) : (
            <>
              <p className="max-w-prose text-muted">
                {intro} Drag to change the order.{' '}
                <span className="pointer-coarse:hidden">
                  Drop pictures anywhere on this page to add them.
                </span>
              </p>
              <SortableList
                label={what}
                items={data}
                skip={skip}
                count={count}
                layout="grid"
                className="grid grid-cols-2 gap-3 sm:grid-cols-3 sm:gap-5 xl:grid-cols-4"
                itemName={nameOf}
                onMove={actions.move}
              >
                {children}
              </SortableList>
              <Pagination
                skip={skip}
                limit={MAX_PAGE_SIZE}
                count={count}
                label={what}
                onSkipChange={actions.turnTo}
              />
            </>
          )
        }
      </LoadableView>
    </>
  );
}
