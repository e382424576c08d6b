import { type Command, InvalidArgumentError, Option } from 'commander'
import { ConfigError } from '../config.ts'
import { importedByPath } from '../crm/bulk-job.ts'
import { print } from './print.ts'
import { command } from './program.ts'

interface ImportOptions {
  url: string
  key?: string
  map: string[]
  format?: 'csv' | 'json' | 'ndjson'
  encoding: 'utf-8' | 'latin1'
  delimiter?: string
  errors?: string
  json?: boolean
}

export function importCommand(): Command {
  const all = command('import', 'import a file through a running server')
  for (const what of Object.keys(importedByPath)) {
    all.addCommand(
      command(what, `import ${what} from a CSV, JSON or NDJSON file`)
        .argument('<file>', 'CSV with a header, a JSON array, or one JSON object a line')
        .addOption(new Option('--url <url>', 'of the server').env('KONTOR_URL').default('http://127.0.0.1:8080'))
        .addOption(new Option('--key <key>', 'API key that may write them').env('KONTOR_KEY'))
        .option('--map <column=path>', 'where a column goes: "E-mail=emails.email"; repeatable', collect, [])
        .addOption(
          new Option('--format <name>', 'default: by the ending of the name').choices(['csv', 'json', 'ndjson']),
        )
        .addOption(new Option('--encoding <name>', 'of the file').choices(['utf-8', 'latin1']).default('utf-8'))
        .option('--delimiter <character>', 'between cells; default: the one that the header uses', character)
        .option('--errors <file>', 'where rows that fail go, with their reasons; default: FILE.errors.csv')
        .option('--json', 'print one JSON object')
        .action((file: string, options: ImportOptions) => importFile(what, file, options)),
    )
  }
  return all
}

/** Ends with exit code 1 where rows failed. */
async function importFile(what: string, file: string, options: ImportOptions): Promise<void> {
  if (!options.key) throw new ConfigError('--key is missing: the API key, here or in KONTOR_KEY')
  // Loaded here: no other command should start the slower for it.
  const [{ connect }, { showProgress }, { runImport }, { openSource }] = await Promise.all([
    import('./import/api.ts'),
    import('./import/progress.ts'),
    import('./import/run.ts'),
    import('./import/source.ts'),
  ])
  const progress = showProgress(process.stderr)
  const source = openSource(file, options.format, options.encoding)
  const errorsPath = options.errors ?? `${file.replace(/\.\w+$/, '')}.errors.csv`
  const { imported, failed, unnamed } = await runImport({
    resource: importedByPath[what]!,
    source,
    delimiter: options.delimiter,
    maps: options.map,
    errorsPath,
    api: connect(options.url, options.key, `/api-v1-bulk/${what}`, progress.note),
    notify: progress.note,
    show: ({ imported, failed }) =>
      progress.show(source.bytesRead, source.bytes, `${count(imported)} imported, ${count(failed)} failed`),
  }).finally(progress.end)
  const told = unnamed > 0 ? `, but for ${count(unnamed)} that the server did not name` : ''
  const lines = [`${count(imported)} ${what} imported.`]
  if (failed > 0)
    lines.push(`${count(failed)} failed: ${errorsPath} holds them with their reasons${told}; mend it and import it.`)
  print(options.json, { imported, failed, unnamed, errors_file: failed > 0 ? errorsPath : null }, lines.join('\n'))
  if (failed > 0) process.exitCode = 1
}

function collect(value: string, before: string[]): string[] {
  return [...before, value]
}

function character(text: string): string {
  const delimiter = text === '\\t' || text === 'tab' ? '\t' : text
  if (delimiter.length !== 1) throw new InvalidArgumentError('It must be one character, or tab.')
  return delimiter
}

function count(number: number): string {
  return number.toLocaleString('en')
}
