import { useEffect, useRef, useState } from 'react';

interface DropZoneProps {
  onFiles: (files: readonly File[]) => void;
}

/** Takes files that are dropped anywhere on the page, and says so while they hover over it. */
export function DropZone({ onFiles }: DropZoneProps) {
  const [hovers, setHovers] = useState(false);
  const take = useRef(onFiles);
  take.current = onFiles;

  useEffect(() => {
    const onOver = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      // Otherwise the browser would open the file in place of the page.
      event.preventDefault();
      setHovers(true);
    };
    const onLeave = ({ relatedTarget }: DragEvent) => {
      if (relatedTarget === null) setHovers(false);
    };
    const onDrop = (event: DragEvent) => {
      setHovers(false);
      if (!hasFiles(event)) return;
      event.preventDefault();
      const files = droppedFiles(event);
      if (files.length > 0) take.current(files);
    };
    document.addEventListener('dragover', onOver);
    document.addEventListener('dragleave', onLeave);
    document.addEventListener('drop', onDrop);
    return () => {
      document.removeEventListener('dragover', onOver);
      document.removeEventListener('dragleave', onLeave);
      document.removeEventListener('drop', onDrop);
    };
  }, []);

  if (!hovers) return null;
  return (
    <div className="pointer-events-none fixed inset-3 z-40 grid place-items-center rounded-2xl border-4 border-dashed border-main bg-paper/90">
      <p className="font-serif text-2xl">Drop pictures to add them</p>
    </div>
  );
}

function hasFiles({ dataTransfer }: DragEvent): boolean {
  return dataTransfer?.types.includes('Files') ?? false;
}

/** Without folders: what is in them is not handed out here. */
function droppedFiles({ dataTransfer }: DragEvent): File[] {
  return [...(dataTransfer?.items ?? [])].flatMap((item) => {
    const file = item.kind === 'file' ? item.getAsFile() : null;
    return file && !item.webkitGetAsEntry()?.isDirectory ? [file] : [];
  });
}
