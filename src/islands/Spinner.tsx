const SIZES = {
  line: 'size-4 animate-spin border-2',
  page: 'size-[120px] animate-[spin_1.4s_linear_infinite] border-8',
};

/** Decorative: a text beside it names the work in progress. */
export function Spinner({ size = 'line' }: { size?: keyof typeof SIZES }) {
  return (
    <span
      aria-hidden="true"
      className={`inline-block shrink-0 rounded-full border-current border-r-transparent ${SIZES[size]}`}
    />
  );
}
