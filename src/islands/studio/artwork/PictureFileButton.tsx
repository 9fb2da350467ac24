import { useRef } from 'react';
import { PICTURE_TYPES } from '#stores/studio/uploads.ts';
import { BusyButton } from '../../forms/BusyButton.tsx';
import { Icon, type IconName } from '../Icon.tsx';

interface PictureFileButtonProps {
  label: string;
  icon?: IconName;
  multiple?: boolean;
  busy?: boolean;
  className?: string;
  onFiles: (files: readonly File[]) => void;
}

/** A button that opens the file picker; on a phone that is the camera roll. */
export function PictureFileButton(props: PictureFileButtonProps) {
  const { label, icon, multiple = false, busy = false, onFiles } = props;
  const { className = 'button button-main' } = props;
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <BusyButton busy={busy} className={className} onClick={() => input.current?.click()}>
        {icon && <Icon name={icon} />}
        <span>{label}</span>
      </BusyButton>
      <input
        ref={input}
        type="file"
        multiple={multiple}
        hidden
        // Phones that store another format, such as HEIC, convert pictures to one of these.
        accept={PICTURE_TYPES.join()}
        onChange={({ currentTarget }) => {
          onFiles([...(currentTarget.files ?? [])]);
          // Browsers fire no change event when the same file is chosen twice in a row.
          currentTarget.value = '';
        }}
      />
    </>
  );
}
