import type { Instant } from '#domain/time.ts';

/** Makes the AVIF variants of pictures after their upload was answered, one picture at a time. */
export interface PictureFinisher {
  /** Finishes a picture soon. */
  add(imageId: string): void;
  /** Finishes what was left behind when a process ended, and removes the files that were. */
  sweep(): void;
  /** Finishes pictures that a server which died meanwhile has left, uploaded before that instant. */
  adopt(uploadedBefore: Instant): void;
  /** Once nothing is left to do. */
  idle(): Promise<void>;
  /** Takes nothing up any more, and waits a moment for the picture at hand. */
  stop(): Promise<void>;
}
