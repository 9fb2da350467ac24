const DIRECTIONS = [
  { label: 'Previous', step: -1, arrow: '‹' },
  { label: 'Next', step: 1, arrow: '›' },
];

/** Buttons that turn to the previous (-1) and the next (1) unit of a calendar, such as a month. */
export function TurnButtons({ unit, onTurn }: { unit: string; onTurn: (step: number) => void }) {
  return DIRECTIONS.map(({ label, step, arrow }) => (
    <button
      key={label}
      type="button"
      className="button w-11 px-0"
      aria-label={`${label} ${unit}`}
      onClick={() => onTurn(step)}
    >
      <span aria-hidden="true">{arrow}</span>
    </button>
  ));
}
