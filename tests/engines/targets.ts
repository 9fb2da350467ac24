/** What a person looks for on a page. Names are whole, or patterns. */
export interface Target {
  readonly by: 'role' | 'label' | 'text' | 'css';
  readonly value: string | RegExp;
  /** The accessible name of a role; the text in the element of a selector. */
  readonly name?: string | RegExp;
  readonly within?: Target;
}

export const button = (name: string | RegExp) => role('button', name);
export const link = (name: string | RegExp) => role('link', name);
export const heading = (name: string | RegExp) => role('heading', name);
export const label = (value: string | RegExp): Target => ({ by: 'label', value });
export const text = (value: string | RegExp): Target => ({ by: 'text', value });
export const css = (value: string, name?: string | RegExp): Target => ({
  by: 'css',
  value,
  ...(name !== undefined && { name }),
});
export function role(value: string, name?: string | RegExp): Target {
  return { by: 'role', value, ...(name !== undefined && { name }) };
}
/** The target inside of another one. */
export const within = (outer: Target, target: Target): Target => ({ ...target, within: outer });
