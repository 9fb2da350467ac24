import { useEffect, useState } from 'react';

/** Accepts files dropped anywhere on the page; while files hover over it, a text says so. */
export function DropZone({ onFiles }: { onFiles: (files: readonly File[]) => void }) {
  const [isHovering, setIsHovering] = useState(false);

  useEffect(() => {
    const onOver = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      // By default the browser would replace the page with the file.
      event.preventDefault();
      setIsHovering(true);
    };
    const onLeave = ({ relatedTarget }: DragEvent) => {
      // Null when the pointer leaves the window, and not when it moves between elements.
      if (relatedTarget === null) setIsHovering(false);
    };
    const onDrop = (event: DragEvent) => {
      setIsHovering(false);
      if (!hasFiles(event)) return;
      event.preventDefault();
      const files = droppedFiles(event);
      if (files.length > 0) onFiles(files);
    };
    const listeners = new AbortController();
    const { signal } = listeners;
    document.addEventListener('dragover', onOver, { signal });
    document.addEventListener('dragleave', onLeave, { signal });
    document.addEventListener('drop', onDrop, { signal });
    return () => listeners.abort();
  }, [onFiles]);

  if (!isHovering) return null;
  return (
    <div className="pointer-events-none fixed inset-3 z-40 grid place-items-center rounded-2xl border-4 border-dashed border-main bg-paper/90">
      <p className="font-serif text-2xl">Drop pictures to add them</p>
    </div>
  );
}

function hasFiles({ dataTransfer }: DragEvent): boolean {
  return dataTransfer?.types.includes('Files') ?? false;
}

/** The dropped files without folders: the event does not contain the files of a folder. */
function droppedFiles({ dataTransfer }: DragEvent): File[] {
  return [...(dataTransfer?.items ?? [])]
    .filter((item) => !item.webkitGetAsEntry()?.isDirectory)
    .map((item) => item.getAsFile())
    .filter((file) => file !== null);
}
