import { suggestEmail } from './suggest_email.ts';

interface EmailSuggestionProps {
  /** The address of its field; '' suggests nothing, such as while somebody types. */
  email: string;
  /** Puts the suggestion and the focus into the field: the button disappears. */
  onTakeOver: (suggestion: string) => void;
}

/** A button with the likely address when the domain looks mistyped. It blocks nothing. */
export function EmailSuggestion({ email, onTakeOver }: EmailSuggestionProps) {
  const suggestion = suggestEmail(email);
  // High enough for the button: when it appears, it must not move the one that is being clicked.
  return (
    <div role="status" className="min-h-11">
      {suggestion !== null && (
        <button
          type="button"
          className="link min-h-11 cursor-pointer text-left wrap-anywhere"
          onClick={() => onTakeOver(suggestion)}
        >
          {`Did you mean ${suggestion}?`}
        </button>
      )}
    </div>
  );
}
