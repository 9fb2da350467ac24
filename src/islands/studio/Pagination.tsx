import { useStore } from '@nanostores/react';
import { useEffect } from 'react';
import type { SearchedList } from '#stores/studio/searched_list.ts';
import { Button } from './buttons.tsx';

interface PaginationProps {
  /** The number of items before the shown page. */
  skip: number;
  /** The most items on one page. */
  limit: number;
  /** The number of items on all pages. */
  count: number;
  /** Names the items, as in "1–50 of 312 clients". */
  label: string;
  /** `isPastEnd`: the shown page does not exist, and `skip` is that of the last page that does. */
  onSkipChange: (skip: number, isPastEnd?: boolean) => void;
}

/** Buttons for the previous and the next page of a list; hidden when the list has one page. */
export function Pagination({ skip, limit, count, label, onSkipChange }: PaginationProps) {
  const lastSkip = Math.max(0, Math.ceil(count / limit) - 1) * limit;
  const isPastEnd = skip > lastSkip;
  // Deletions can empty the page that is shown.
  useEffect(() => {
    if (isPastEnd) onSkipChange(lastSkip, true);
  }, [isPastEnd, lastSkip, onSkipChange]);
  if (isPastEnd || (count <= limit && skip === 0)) return null;
  return (
    <nav aria-label={`Pages of ${label}`} className="flex flex-wrap items-center gap-3">
      <Button
        label="Previous"
        disabled={skip === 0}
        onClick={() => onSkipChange(Math.max(0, skip - limit))}
      />
      <p role="status" className="text-muted">
        {`${skip + 1}–${Math.min(skip + limit, count)} of ${count} ${label}`}
      </p>
      <Button
        label="Next"
        disabled={skip + limit >= count}
        onClick={() => onSkipChange(skip + limit)}
      />
    </nav>
  );
}

interface ListPaginationProps<Item> extends Pick<PaginationProps, 'count' | 'label'> {
  list: SearchedList<Item>;
}

export function ListPagination<Item>({ list, ...props }: ListPaginationProps<Item>) {
  const { skip } = useStore(list.$view);
  return <Pagination {...props} skip={skip} limit={list.limit} onSkipChange={list.goTo} />;
}
