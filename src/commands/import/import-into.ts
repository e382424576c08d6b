import { resolve } from 'node:path'
import { ConfigError } from '../../config.ts'
import { describeResource } from '../../console/description.ts'
import { importedByPath } from '../../features/imports/imported.ts'
import type { DayOrder } from '../../files/dates.ts'
import type { Decimal } from '../../files/numbers.ts'
import { connect, type Envelope } from './api.ts'
import { listFailures, openFailures } from './failures.ts'
import type { Outcome } from './outcome.ts'
import { type Found, prepare } from './prepare.ts'
import { openResults } from './results.ts'
import { runImport } from './run.ts'
import { type Format, openSource } from './source.ts'
import { count, importedOf } from './summary.ts'

interface Options {
  url: string
  key: string
  map: string[]
  errorsPath: string
  encoding: string
  ignoreColumns?: boolean
  matchOn?: string
  mode?: string
  dryRun?: boolean
  format?: Format
  delimiter?: string
  decimal?: Decimal
  dateOrder?: DayOrder
  /** A file for the result of each row. */
  results?: string
}

export interface Imported {
  found: Found
  outcome: Outcome
  /** The first failed rows of a dry run. */
  faults: string[]
}

const faultsShown = 20

/** Imports a file. Of a dry run, the server says what it would do. */
export async function importInto(what: string, file: string, options: Options): Promise<Imported> {
  const { url, key, errorsPath, ignoreColumns = false, dryRun = false } = options
  if (options.results !== undefined && resolve(options.results) === resolve(errorsPath))
    throw new ConfigError('--errors and --results name the same file: give two')
  const resource = importedByPath[what]!
  const progress = showProgress(process.stderr)
  const source = await openSource(file, { ...options, notify: progress.note })
  const envelope = envelopeOf(options)
  const api = connect({ url, key, path: `/api-v1-bulk/${what}` }, progress.note)
  try {
    // That rows with one email are one contact is meant; another key that is repeated may be a mistake.
    const isKeyed = options.matchOn !== undefined && options.matchOn !== 'email'
    const shape = { ...describeResource(resource), declared: await api.declaredFields(resource.name) }
    const prepared = await prepare({
      ...{ resource, shape, source, maps: options.map, notify: progress.note },
      notation: { decimal: options.decimal, order: options.dateOrder },
      ...{ ignoresColumns: ignoreColumns, findsDuplicates: dryRun || isKeyed, matchOn: options.matchOn },
    })
    await api.requireSupport(Object.keys(envelope))
    const faults: string[] = []
    const failures = dryRun ? listFailures(faults, faultsShown) : openFailures(errorsPath, prepared.header)
    const show = ({ failed, ...done }: Outcome) =>
      progress.show(source.bytesRead, source.bytes, `${count(importedOf(done))} imported, ${count(failed)} failed`)
    const comparedBy = dryRun && envelope.match_on === undefined ? resource.matchedBy : []
    const results = openResults(options.results)
    const run = { resource, shape, prepared, failures, results, api, envelope, comparedBy, show }
    return { found: prepared.found, outcome: await runImport(run), faults }
  } finally {
    progress.end()
  }
}

function envelopeOf({ matchOn, mode, dryRun }: Options): Envelope {
  return { ...(matchOn && { match_on: matchOn }), ...(mode && { mode }), ...(dryRun && { dry_run: true }) }
}

/** A progress bar on a terminal; no output elsewhere. */
interface Progress {
  show(done: number, of: number, text: string): void
  /** Prints a line above the bar. */
  note(text: string): void
  end(): void
}

const barWidth = 24

function showProgress(stream: NodeJS.WriteStream): Progress {
  let bar = ''
  const clear = () => {
    if (stream.isTTY && bar !== '') stream.write('\r\x1b[K')
  }
  return {
    show(done, of, text) {
      if (!stream.isTTY) return
      const share = of === 0 ? 1 : Math.min(1, done / of)
      const filled = Math.round(share * barWidth)
      bar = `[${'#'.repeat(filled)}${'.'.repeat(barWidth - filled)}] ${Math.floor(share * 100)} %  ${text}`
      stream.write(`\r\x1b[K${bar.slice(0, (stream.columns ?? 80) - 1)}`)
    },
    note(text) {
      clear()
      stream.write(`${text}\n${stream.isTTY ? bar : ''}`)
    },
    end() {
      clear()
      bar = ''
    },
  }
}
