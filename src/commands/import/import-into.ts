import { describeResource } from '../../console/description.ts'
import { importedByPath } from '../../crm/imported.ts'
import type { Encoding } from '../../files/text-decoder.ts'
import { type Api, connect, type Envelope } from './api.ts'
import { listFailures, openFailures } from './failures.ts'
import { type Found, prepare } from './prepare.ts'
import { showProgress } from './progress.ts'
import { type Outcome, runImport } from './run.ts'
import { type Format, openSource } from './source.ts'
import { count } from './summary.ts'

interface Options {
  url: string
  key: string
  map: string[]
  errorsPath: string
  encoding: Encoding
  ignoreColumns?: boolean
  matchOn?: string
  mode?: string
  dryRun?: boolean
  format?: Format
  delimiter?: string
}

export interface Imported {
  found: Found
  outcome: Outcome
  /** The first failed rows of a dry run. */
  faults: string[]
}

const faultsShown = 20

/** Imports a file. A dry run without `matchOn` only reads it; with it, the server compares the records with its own. */
export async function importInto(what: string, file: string, options: Options): Promise<Imported> {
  const { url, key, errorsPath, ignoreColumns = false } = options
  const resource = importedByPath[what]!
  const source = openSource(file, options)
  const progress = showProgress(process.stderr)
  const envelope = envelopeOf(options)
  const api = connect({ url, key, path: `/api-v1-bulk/${what}`, envelope }, progress.note)
  const isLocal = options.dryRun === true && !options.matchOn
  try {
    const shape = { ...describeResource(resource), declared: await api.declaredFields(resource.name) }
    const prepared = await prepare({
      ...{ resource, shape, source, maps: options.map, notify: progress.note },
      ...{ ignoresColumns: ignoreColumns, findsDuplicates: options.dryRun === true },
    })
    const { found } = prepared
    if (Object.keys(envelope).length > 0 && !isLocal) await api.requireEnvelope(Object.keys(envelope))
    const faults: string[] = []
    const failures = options.dryRun ? listFailures(faults, faultsShown) : openFailures(errorsPath, prepared.header)
    const show = ({ imported, failed }: Outcome) =>
      progress.show(source.bytesRead, source.bytes, `${count(imported)} imported, ${count(failed)} failed`)
    const run = { resource, shape, prepared, failures, api: isLocal ? readingOnly(api) : api, show }
    return { found, outcome: await runImport(run), faults }
  } finally {
    progress.end()
  }
}

function envelopeOf({ matchOn, mode, dryRun }: Options): Envelope {
  return { ...(matchOn && { match_on: matchOn }), ...(mode && { mode }), ...(dryRun && { dry_run: true }) }
}

/** An API to which records are not sent. */
function readingOnly(api: Api): Api {
  return {
    ...api,
    importAll: async ({ length }) => ({
      ...{ status: 'completed', successful_records: length, failed_records: 0, errors: [] },
    }),
  }
}
