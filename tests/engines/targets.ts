/** What a person looks for on a page. Names are whole, or patterns. */
export interface Target {
  readonly by: 'role' | 'label' | 'text' | 'css';
  readonly value: string | RegExp;
  /** The accessible name of a role; a part of the text in the element of a selector. */
  readonly name?: string | RegExp;
  readonly within?: Target;
}

type Name = Target['value'];

export const role = (value: string, name?: Name): Target => ({
  ...{ by: 'role', value },
  ...(name !== undefined && { name }),
});
export const button = (name: Name) => role('button', name);
export const link = (name: Name) => role('link', name);
export const heading = (name: Name) => role('heading', name);
export const css = (value: string, name?: string): Target => ({ ...role(value, name), by: 'css' });
export const label = (value: Name): Target => ({ by: 'label', value });
export const text = (value: Name): Target => ({ by: 'text', value });
/** The target inside of another one. */
export const within = (outer: Target, target: Target): Target => ({ ...target, within: outer });
