import type { ReactNode } from 'react';

interface RadioButtonProps {
  checked: boolean;
  onSelect: () => void;
  children: ReactNode;
}

export function RadioButton({ checked, onSelect, children }: RadioButtonProps) {
  return (
    <label className="flex min-h-11 cursor-pointer items-center gap-3">
      <input
        type="radio"
        className="size-5 shrink-0 accent-main"
        checked={checked}
        onChange={onSelect}
      />
      <span>{children}</span>
    </label>
  );
}
