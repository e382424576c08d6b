import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Source {
  /** The path from the project's root, with slashes: `src/store/open.ts`. */
  path: string
  text: string
}

const data = /\.(?:gz|ndjson|json)$/

/** The files below a folder of the project, except data and installed packages. */
export function sourcesIn(folder: string): Source[] {
  const root = new URL(`../../${folder}/`, import.meta.url).pathname
  const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return files
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((path) => !path.includes('/node_modules/') && !data.test(path))
    .map((path) => ({ path: `${folder}/${path.slice(root.length)}`, text: readFileSync(path, 'utf8') }))
}

/** Whether a source brings older databases to the present schema. Such statements change the rows of all workspaces, and the log itself. */
export function isMigration({ path }: Source): boolean {
  return /^src\/store\/(?:migration|fold-keys)/.test(path)
}
