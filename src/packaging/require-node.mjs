// JavaScript, because it runs before anything in TypeScript is loaded.

const versionMin = 26

/** Ends the process with a sentence unless this Node.js can run `script`, which loads TypeScript and makes an executable. */
export function requireNode(script) {
  if (Number.parseInt(process.versions.node, 10) >= versionMin) return
  process.stderr.write(
    `${script} needs Node.js ${versionMin} or newer; this is ${process.version}. Run it with "npm run", which uses the version that "npm ci" has installed.\n`,
  )
  process.exit(1)
}
