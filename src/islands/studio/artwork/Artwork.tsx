import type { ReactNode } from 'react';
import type { ListPage } from '#contract/common.ts';
import { LIST_LIMIT } from '#stores/studio/ordered_list.ts';
import type { FileUpload } from '#stores/studio/uploads.ts';
import type { MenuAction } from '../Menu.tsx';
import { Ordered } from '../ordered/Ordered.tsx';
import { Pager } from '../Pager.tsx';
import { Reading } from '../Reading.tsx';
import { DropArea } from './DropArea.tsx';
import { Uploads } from './Uploads.tsx';

interface ArtworkProps<T> {
  /** What these are, in the plural. */
  what: string;
  /** What stands above them. */
  intro: string;
  list: { data?: ListPage<T>; error?: unknown; loading: boolean };
  skip: number;
  uploads: readonly FileUpload[];
  /** What there is to see while there are none. */
  none: ReactNode;
  nameOf: (item: T) => string;
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
export function Artwork<T extends { readonly id: string }>({
  what,
  intro,
  list,
  skip,
  uploads,
  none,
  nameOf,
  actions,
  children,
}: ArtworkProps<T>) {
  return (
    <>
      <DropArea onFiles={actions.add} />
      <Uploads uploads={uploads} onRetry={actions.retryUpload} onRemove={actions.removeUpload} />
      <Reading value={list} what={what} onRetry={actions.retry}>
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
              <Ordered
                label={what}
                items={data}
                skip={skip}
                count={count}
                layout="grid"
                className="grid grid-cols-2 gap-3 sm:grid-cols-3 sm:gap-5 xl:grid-cols-4"
                nameOf={nameOf}
                onMove={actions.move}
              >
                {children}
              </Ordered>
              <Pager
                skip={skip}
                limit={LIST_LIMIT}
                count={count}
                what={what}
                onSkip={actions.turnTo}
              />
            </>
          )
        }
      </Reading>
    </>
  );
}
