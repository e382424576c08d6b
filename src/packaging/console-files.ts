import { built, type PackedFile, readPacked } from './embedded.ts'

let files: Promise<Map<string, PackedFile>> | undefined

/** Files by path: `/` is the document for who is not signed in, `/inside/…` those for signed-in users, which name the scripts of some pages, the others are `/assets/…`. Loaded (in development: built) on first use. */
export function consoleFiles(): Promise<Map<string, PackedFile>> {
  files ??= built ? unpack() : bundle()
  return files
}

/** Reads the JSON that `bundle-program.ts` packs: the type and the gzip (base64) of each file by path. */
async function unpack(): Promise<Map<string, PackedFile>> {
  const entries: [string, [string, string]][] = Object.entries(JSON.parse(readPacked('console').toString()))
  return new Map(entries.map(([path, [type, gzip]]) => [path, { type, gzip: Buffer.from(gzip, 'base64') }]))
}

async function bundle(): Promise<Map<string, PackedFile>> {
  const path = './bundle-console.ts' // in a variable, so that esbuild does not bundle it
  const { bundleConsole } = (await import(path)) as typeof import('./bundle-console.ts')
  return (await bundleConsole()).files
}
