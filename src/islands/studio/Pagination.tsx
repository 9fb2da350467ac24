import { useEffect } from 'react';

interface PaginationProps {
  skip: number;
  limit: number;
  count: number;
  /** What is counted, as in "1–50 of 312 clients". */
  label: string;
  /** `isGone` when the page that was shown is no more, and this one takes its place. */
  onSkipChange: (skip: number, isGone?: boolean) => void;
}

/** Turns the pages of a long list; nothing when all is on one. */
export function Pagination({
  skip,
  limit,
  count,
  label: what,
  onSkipChange: onSkip,
}: PaginationProps) {
  const last = Math.max(0, Math.ceil(count / limit) - 1) * limit;
  const isPastEnd = skip > last;
  // What was on the last page may all have gone.
  useEffect(() => {
    if (isPastEnd) onSkip(last, true);
  }, [isPastEnd, last, onSkip]);
  if (isPastEnd || (count <= limit && skip === 0)) return null;
  return (
    <nav aria-label={`Pages of ${what}`} className="flex flex-wrap items-center gap-3">
      <button
        type="button"
        className="button"
        disabled={skip === 0}
        onClick={() => onSkip(Math.max(0, skip - limit))}
      >
        Previous
      </button>
      <p role="status" className="text-muted">
        {skip + 1}–{Math.min(skip + limit, count)} of {count} {what}
      </p>
      <button
        type="button"
        className="button"
        disabled={skip + limit >= count}
        onClick={() => onSkip(skip + limit)}
      >
        Next
      </button>
    </nav>
  );
}
