/** Reminds the artist of the missing description, which screen readers need. */
export function AddDescriptionButton({ name, onClick }: { name: string; onClick: () => void }) {
  return (
    <button
      type="button"
      className="link inline-flex min-h-11 cursor-pointer items-center text-left text-sm"
      aria-label={`Add a description of ${name}`}
      onClick={onClick}
    >
      Add a description
    </button>
  );
}
