const TURNS = [
  { label: 'Previous', count: -1, arrow: '‹' },
  { label: 'Next', count: 1, arrow: '›' },
];

/** Buttons that turn to the previous and the next unit of a calendar, such as a month. */
export function TurnButtons({ unit, onTurn }: { unit: string; onTurn: (count: number) => void }) {
  return TURNS.map(({ label, count, arrow }) => (
    <button
      key={label}
      type="button"
      className="button w-11 px-0"
      aria-label={`${label} ${unit}`}
      onClick={() => onTurn(count)}
    >
      <span aria-hidden="true">{arrow}</span>
    </button>
  ));
}
