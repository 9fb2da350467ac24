/** How many letters to insert, delete, replace or swap with their neighbour to turn `a` into `b`. */
export function editDistance(a: string, b: string): number {
  // Three rows of the table, in which a cell is the distance between beginnings of `a` and `b`.
  let twoBefore: number[] = [];
  let before = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const isSame = a[row - 1] === b[column - 1];
      const isSwapped = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      current[column] = Math.min(
        (before[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (before[column - 1] ?? 0) + (isSame ? 0 : 1),
        row > 1 && column > 1 && isSwapped ? (twoBefore[column - 2] ?? 0) + 1 : Infinity,
      );
    }
    twoBefore = before;
    before = current;
  }
  return before[b.length] ?? 0;
}
