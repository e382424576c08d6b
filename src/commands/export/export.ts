import { type Command, Option } from 'commander'
import { type Environment, environments } from '../../access/company.ts'
import { ConfigError } from '../../config.ts'
import { backUpContent } from '../../content/back-up-content.ts'
import { type Format, formatNames } from '../../engine/finding/export/formats.ts'
import { databasePath } from '../../store/directory.ts'
import { administerFiles, contentsOf, type FilesOptions } from '../contents.ts'
import { withStore } from '../open-store.ts'
import { print } from '../print.ts'
import { dataOf } from '../program.ts'
import { exportLists } from './lists.ts'
import { exportCompany } from './sqlite.ts'

interface ExportOptions extends FilesOptions {
  company: string
  format: Format | 'sqlite'
  environment?: Environment
  raw?: boolean
  bom?: boolean
  out: string
}

export function exportCommand(): Command {
  return administerFiles('export', "write a company's records to files; may run while the server runs")
    .argument('[lists...]', 'contacts, organizations, deals, … (default: all of them)')
    .requiredOption('--company <id>', "the company's id")
    .addOption(
      new Option('--format <name>', 'sqlite: the whole company, as a database that `kontor serve --data <path>` opens')
        .choices([...formatNames, 'sqlite'])
        .default('csv'),
    )
    .addOption(new Option('--environment <name>', 'workspace that is exported (default: live)').choices(environments))
    .option('--raw', 'write cells that a spreadsheet could run as formulas as they are')
    .option('--bom', 'begin CSV files with a byte order mark, by which spreadsheet programs recognize UTF-8')
    .option('--without-files', 'with sqlite: leave out content of files that is missing or damaged')
    .requiredOption('--out <path>', 'file for one list, otherwise a directory; no file is overwritten')
    .action(write)
}

async function write(names: string[], options: ExportOptions): Promise<void> {
  const { company, format, environment = 'live', raw = false, bom = false, out } = options
  const data = dataOf(options)
  const source = databasePath(data)
  const contents = contentsOf(options)
  const files = await withStore(data, async (store) => {
    if (format !== 'sqlite') return exportLists(source, { names, format, company, environment, raw, bom, out })
    if (names.length > 0 || options.environment) {
      throw new ConfigError('--format sqlite writes the whole company: leave out the lists and --environment')
    }
    const bringContent = (copy: string) =>
      backUpContent(source, copy, { from: contents, withoutFiles: options.withoutFiles })
    return [await exportCompany(store, out, { source, companyId: company, bringContent })]
  })
  const lines = files.map(({ file, bytes }) => `Wrote ${file} (${bytes} bytes)`)
  print(options.json, { files }, lines.join('\n'))
}
