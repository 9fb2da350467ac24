import type { Page } from '@playwright/test';

/**
 * From its next visit, the page is changed as a browser's translation changes it: every text moves
 * into two `<font>` elements as soon as it appears, and the page's own text nodes are gone.
 * @returns stops it for later visits
 */
export async function translatePages(page: Page): Promise<() => Promise<void>> {
  const script = await page.addInitScript(() => {
    const UNTRANSLATED = 'head, script, style, noscript, textarea, [translate="no"]';

    function wrap(text: Text): void {
      const parent = text.parentElement;
      if (!parent || parent.localName === 'font' || parent.closest(UNTRANSLATED)) return;
      // TypeScript calls the element `font` outdated.
      const name: string = 'font';
      const [outer, inner] = [document.createElement(name), document.createElement(name)];
      inner.textContent = text.data;
      outer.append(inner);
      text.replaceWith(outer);
    }

    function wrapAll(root: Node): void {
      if (root instanceof Text) wrap(root);
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
      const texts: Text[] = [];
      for (let node = walker.nextNode(); node; node = walker.nextNode())
        if (node instanceof Text) texts.push(node);
      for (const text of texts) wrap(text);
    }

    new MutationObserver((records) => {
      for (const { target, addedNodes } of records) {
        if (target instanceof Text) wrap(target);
        for (const node of addedNodes) wrapAll(node);
      }
    }).observe(document, { childList: true, characterData: true, subtree: true });
  });
  return () => script.dispose();
}
