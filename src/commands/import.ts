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
  const all = command('import', 'import a file through the API of a running server')
  for (const what of Object.keys(importedByPath)) {
    all.addCommand(
      command(what, `import ${what} from a CSV, JSON or NDJSON file`)
        .argument('<file>', 'CSV with a header, a JSON array, or one JSON object per line')
        .addOption(new Option('--url <url>', 'URL of the server').env('KONTOR_URL').default('http://127.0.0.1:8080'))
        .addOption(new Option('--key <key>', 'API key with the write scope').env('KONTOR_KEY'))
        .option(
          '--map <column=path>',
          'import a column into a field: "E-mail=emails.email"; can be repeated',
          collect,
          [],
        )
        .addOption(
          new Option('--format <name>', 'format of the file; default: from its extension').choices([
            'csv',
            'json',
            'ndjson',
          ]),
        )
        .addOption(
          new Option('--encoding <name>', 'encoding of the file').choices(['utf-8', 'latin1']).default('utf-8'),
        )
        .option('--delimiter <character>', 'delimiter between cells; default: detected from the header', character)
        .option('--errors <file>', 'file for the rows that fail, with the reasons; default: FILE.errors.csv')
        .option('--json', 'print one JSON object')
        .action((file: string, options: ImportOptions) => importFile(what, file, options)),
    )
  }
  return all
}

/** Exits with code 1 if rows failed. */
async function importFile(what: string, file: string, options: ImportOptions): Promise<void> {
  if (!options.key) throw new ConfigError('The API key is missing: pass it with --key or in KONTOR_KEY')
  // Loaded here, so that other commands start faster.
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
  const except = unnamed > 0 ? `, except ${count(unnamed)} that the server did not report` : ''
  const lines = [`${count(imported)} ${what} imported.`]
  if (failed > 0)
    lines.push(
      `${count(failed)} failed: they are in ${errorsPath} with the reasons${except}; correct it and import it.`,
    )
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
