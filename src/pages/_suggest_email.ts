// Suggests the likely address below the email fields of forms without an island. In islands,
// `EmailSuggestion.tsx` does.
import { suggestEmail } from '#islands/forms/suggest_email.ts';

for (const field of document.querySelectorAll<HTMLInputElement>('[data-keep] [type=email]')) {
  const place = field.nextElementSibling;
  if (!place) continue;
  place.setAttribute('role', 'status');
  const suggest = () => {
    const suggestion = suggestEmail(field.value);
    if (suggestion === null) return;
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'link min-h-11 cursor-pointer text-left wrap-anywhere';
    button.textContent = `Did you mean ${suggestion}?`;
    button.addEventListener('click', () => {
      field.value = suggestion;
      field.dispatchEvent(new Event('input', { bubbles: true }));
      field.focus();
    });
    place.replaceChildren(button);
  };
  field.addEventListener('input', () => place.replaceChildren());
  field.addEventListener('blur', suggest);
  // The field may have been left while this script was loaded.
  if (field !== document.activeElement) suggest();
}
