/** Stores the files of exports. Ids are random and secret: nobody can guess the name of a file. */
export interface ExportStore {
  /** Stores the file at a path on our disk, which may be moved away. */
  put(id: string, path: string): Promise<void>;
  /** Reads a file in parts. It is opened when the first part is asked for. */
  read(id: string): AsyncIterable<Uint8Array>;
  /** Deletes a file, if there is one. */
  remove(id: string): Promise<void>;
}

/** The name of a file in its folder, or in the folder `exports` of its bucket. */
export function exportName(id: string): string {
  return `${id}.zip`;
}
