import { type ReactNode, useRef } from 'react';
import { PICTURE_TYPES } from '#stores/studio/uploads.ts';

interface AddPicturesButtonProps {
  onFiles: (files: readonly File[]) => void;
  children: ReactNode;
}

/** Opens the file picker; on a phone that is the camera roll. */
export function AddPicturesButton({ onFiles, children }: AddPicturesButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <button type="button" className="button button-main" onClick={() => input.current?.click()}>
        {children}
      </button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        // A phone that takes pictures in another format hands them out as one of these.
        accept={PICTURE_TYPES.join()}
        onChange={({ currentTarget }) => {
          onFiles([...(currentTarget.files ?? [])]);
          // So that choosing the same file again is heard.
          currentTarget.value = '';
        }}
      />
    </>
  );
}
