interface MissingDescriptionProps {
  name: string;
  onDescribe: () => void;
}

/** A gentle reminder where a picture says nothing to people who cannot see it. */
export function MissingDescription({ name, onDescribe }: MissingDescriptionProps) {
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
