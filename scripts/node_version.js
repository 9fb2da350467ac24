// Loaded first by every command: in an older Node, says so in one line and ends. Plain JavaScript, since Node before
// 22.18 cannot read TypeScript.
const NEEDED = 24;

if (Number.parseInt(process.versions.node, 10) < NEEDED) {
  console.error(
    `Linework needs Node ${NEEDED} or newer, and this is Node ${process.versions.node}: install a newer one, or run \`npm ci\` and then an npm command such as \`npm start\`, which uses the Node that it installed.`,
  );
  process.exit(1);
}
