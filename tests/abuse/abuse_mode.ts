/** How much the abuse tests do: `short` in each run of the tests, `full` with `npm run test:abuse`. */
export const abuseMode: 'short' | 'full' = process.env['ABUSE'] === 'full' ? 'full' : 'short';
