import { type Command, InvalidArgumentError, Option } from 'commander'
import { ConfigError } from '../../config.ts'
import { isMatchable, matchText } from '../../engine/api/upsert/matching.ts'
import { modes } from '../../engine/api/upsert/upsert.ts'
import type { Resource } from '../../engine/records/define.ts'
import { importedByPath } from '../../features/imports/imported.ts'
import type { DayOrder } from '../../files/dates.ts'
import { offered } from '../../files/encoding-probe.ts'
import type { Decimal } from '../../files/numbers.ts'
import { encodingNamed } from '../../files/text-decoder.ts'
import { print, printAside } from '../print.ts'
import { command } from '../program.ts'
import { describeFound, describeJobs, describeOutcome, finalNotes, importedOf, noteLines } from './summary.ts'

interface ImportOptions {
  url: string
  key?: string
  map: string[]
  ignoreColumns?: boolean
  matchOn?: string
  mode?: string
  dryRun?: boolean
  format?: 'csv' | 'json' | 'ndjson' | 'vcard'
  encoding: string
  delimiter?: string
  decimal?: Decimal
  dateOrder?: DayOrder
  errors?: string
  results?: string
  json?: boolean
}

export function importCommand(): Command {
  const all = command('import', 'import a file through the API of a running server')
  for (const [what, resource] of Object.entries(importedByPath)) {
    const { isCard } = resource
    const card = isCard ? ' vCard,' : ''
    all.addCommand(
      command(what, `import ${what.replaceAll('-', ' ')} from a CSV,${card} JSON or NDJSON file`)
        .argument('<file>', `CSV with a header,${card} a JSON array, or one JSON object per line`)
        .addOption(new Option('--url <url>', 'URL of the server').env('KONTOR_URL').default('http://127.0.0.1:8080'))
        .addOption(new Option('--key <key>', 'API key with the write scope').env('KONTOR_KEY'))
        .option(
          '--map <column=path>',
          'import a column into a field: "E-mail=emails.email"; can be repeated',
          (value: string, before: string[]) => [...before, value],
          [],
        )
        .addOption(
          new Option('--format <name>', 'format of the file; default: from its extension').choices([
            'csv',
            'json',
            'ndjson',
            ...(isCard ? ['vcard'] : []),
          ]),
        )
        .option('--ignore-columns', 'leave out columns that match no field, even if they have data')
        .option(
          '--match-on <field>',
          `update the record with the same value instead of creating another: ${matchNames(resource)}`,
        )
        .addOption(new Option('--mode <name>', 'what to do with records that match; default: merge').choices(modes))
        .option('--dry-run', 'show what would be imported, and write nothing')
        .addOption(
          new Option('--encoding <name>', 'encoding of the file, such as windows-1250; auto: it is detected')
            .argParser(encoding)
            .default('auto'),
        )
        .option('--delimiter <character>', 'delimiter between cells; default: detected from the header', character)
        .addOption(
          new Option('--decimal <sign>', 'decimal sign of the numbers; default: what their column shows').choices([
            '.',
            ',',
          ]),
        )
        .addOption(
          new Option(
            '--date-order <order>',
            'order of dates such as 03/04/2026; default: what their column shows',
          ).choices(['dmy', 'mdy']),
        )
        .option('--errors <file>', 'file for the rows that fail, with the reasons; default: FILE.errors.csv')
        .option('--results <file>', 'file for the outcome of each row, as lines of JSON')
        .option('--json', 'print one JSON object')
        .action((file: string, options: ImportOptions) => importFile(what, file, options)),
    )
  }
  return all
}

function matchNames(resource: Resource): string {
  return isMatchable(resource) ? matchText(resource).replaceAll('`', '') : 'not for these records'
}

/** Exits with code 1 if rows failed. */
async function importFile(what: string, file: string, options: ImportOptions): Promise<void> {
  if (!options.key) throw new ConfigError('The API key is missing: pass it with --key or in KONTOR_KEY')
  const { importInto } = await import('./import-into.ts') // loaded here, so that other commands start faster
  const errorsPath = options.errors ?? `${file.replace(/\.\w+$/, '')}.errors.csv`
  const { found, outcome, faults } = await importInto(what, file, { ...options, key: options.key, errorsPath })
  const { failed, existing, jobs, ...done } = outcome
  const lines = options.dryRun
    ? [...describeFound(found, outcome, faults, what), ...finalNotes(importedByPath[what]!)]
    : describeOutcome(outcome, what, { errorsPath, isMatched: options.matchOn !== undefined }, found)
  const counts = { imported: importedOf(done), ...done, failed }
  const notes = noteLines(found)
  const written = { ...counts, ...(notes.length > 0 && { notes }), errors_file: failed > 0 ? errorsPath : null, jobs }
  const tried = { ...found, ...counts, imported: 0, existing, faults, dry_run: true }
  print(options.json, options.dryRun ? tried : written, lines.join('\n'))
  if (!options.json && jobs.length > 0) printAside(describeJobs(jobs, importedByPath[what]!))
  if (failed > 0) process.exitCode = 1
}

function encoding(label: string): string {
  const name = label === 'auto' ? label : encodingNamed(label)
  if (name) return name
  throw new InvalidArgumentError(`It must be auto or an encoding: ${offered.join(', ')}.`)
}

function character(text: string): string {
  const delimiter = text === '\\t' || text === 'tab' ? '\t' : text
  if (delimiter.length !== 1) throw new InvalidArgumentError('It must be one character, or tab.')
  return delimiter
}
