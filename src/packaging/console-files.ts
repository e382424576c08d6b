import { gunzipSync } from 'node:zlib'
import { built, type PackedFile, readPacked } from './embedded.ts'

let files: Promise<Map<string, PackedFile>> | undefined

/** By path: `/` is the page, `/inside` the one for who is signed in, the others are `/assets/…`. Read when first asked for; in development, built then. */
export function consoleFiles(): Promise<Map<string, PackedFile>> {
  files ??= built ? unpack() : bundle()
  return files
}

/** JSON of what there is by path, as build.mjs packs it: types and gzip in base64. */
async function unpack(): Promise<Map<string, PackedFile>> {
  const entries: [string, [string, string]][] = Object.entries(JSON.parse(gunzipSync(readPacked('console')).toString()))
  return new Map(entries.map(([path, [type, gzip]]) => [path, { type, gzip: Buffer.from(gzip, 'base64') }]))
}

async function bundle(): Promise<Map<string, PackedFile>> {
  const path = './bundle-console.ts' // not for esbuild to follow
  const { bundleConsole } = (await import(path)) as typeof import('./bundle-console.ts')
  return (await bundleConsole()).files
}
