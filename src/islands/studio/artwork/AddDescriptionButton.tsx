interface AddDescriptionButtonProps {
  name: string;
  onClick: () => void;
}

/** A gentle reminder where a picture says nothing to people who cannot see it. */
export function AddDescriptionButton({ name, onClick: onDescribe }: AddDescriptionButtonProps) {
  return (
    <button
      type="button"
      className="link inline-flex min-h-11 cursor-pointer items-center text-left text-sm"
      aria-label={`Add a description of ${name}`}
      onClick={onDescribe}
    >
      Add a description
    </button>
  );
}
