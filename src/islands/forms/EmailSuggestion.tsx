import { suggestEmail } from './suggest_email.ts';

/** A button that takes over the address that was probably meant; nothing when `email` may be right. */
export function EmailSuggestion({
  email,
  onTakeOver,
}: {
  email: string;
  onTakeOver: (suggestion: string) => void;
}) {
  const suggestion = suggestEmail(email);
  if (suggestion === null) return null;
  return (
    <button
      type="button"
      className="link min-h-11 cursor-pointer text-left wrap-anywhere"
      onClick={() => onTakeOver(suggestion)}
    >
      {`Did you mean ${suggestion}?`}
    </button>
  );
}
