import { statSync } from 'node:fs'
import { join } from 'node:path'
import { type Environment, findWorkspaceId } from '../../access/company.ts'
import { ConfigError } from '../../config.ts'
import { exportedOf } from '../../engine/api/lists/export.ts'
import { extensions, type Format, formatsOf } from '../../engine/finding/export/formats.ts'
import { exportReading } from '../../engine/finding/export/read-export.ts'
import type { Resource } from '../../engine/records/definition/resource.ts'
import { resources } from '../../features/index.ts'
import { makePrivateDirectory } from '../../lib/make-directory.ts'
import { pluralOf } from '../../lib/plural.ts'
import { openExisting } from '../../store/copy.ts'
import { requireNone } from '../../store/give-name.ts'
import { Statements, WorkspaceReader } from '../../store/statements.ts'
import { type Written, writeFile } from './files.ts'

interface ListsOptions {
  /** `contacts`; none: every list. */
  names: readonly string[]
  format: Format
  company: string
  environment: Environment
  /** Whether cells that a spreadsheet could run as formulas are written as they are. */
  raw: boolean
  /** Whether CSV files begin with a byte order mark. */
  bom: boolean
  out: string
}

/** Writes lists to files, all as of one moment: one list to the file `out`, or several into the directory `out`. */
export function exportLists(
  database: string,
  { names, format, company, environment, raw, bom, out }: ListsOptions,
): Written[] {
  const chosen = choose(names, format)
  const pathOf = (resource: Resource) => join(out, `${pluralOf(resource)}.${extensions[format]}`)
  const isFile = names.length === 1 && !statSync(out, { throwIfNoEntry: false })?.isDirectory()
  const files = chosen.map((resource) => ({ resource, file: isFile ? out : pathOf(resource) }))
  for (const { file } of files) requireNone(file)
  const db = openExisting(database)
  try {
    const statements = new Statements(db, () => {})
    statements.control('BEGIN')
    const workspaceId = findWorkspaceId(new WorkspaceReader(statements, undefined), company, environment)
    if (!isFile) makePrivateDirectory(out)
    const reader = new WorkspaceReader(statements, workspaceId)
    const query = [...(raw ? ['raw=1'] : []), ...(bom ? ['bom=1'] : [])].join('&')
    return files.map(({ resource, file }) => {
      const bytes = writeFile(
        file,
        exportReading.parts(
          reader,
          exportedOf(resource, reader, {
            format,
            queryString: query,
            asker: { nowMs: Date.now(), userId: undefined, viewerId: null },
          }),
        ),
      )
      return { file, bytes }
    })
  } finally {
    db.close()
  }
}

/** Throws ConfigError for a list that does not exist, or not in this format. */
function choose(names: readonly string[], format: Format): Resource[] {
  const possible = resources.filter((resource) => formatsOf(resource).includes(format))
  const unknown = names.find((name) => !possible.some((resource) => pluralOf(resource) === name))
  if (unknown !== undefined) {
    throw new ConfigError(
      `There is no list "${unknown}" as ${format}; the lists are ${possible.map(pluralOf).join(', ')}`,
    )
  }
  return names.length === 0 ? possible : possible.filter((resource) => names.includes(pluralOf(resource)))
}
