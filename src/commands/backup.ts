import { dirname } from 'node:path'
import type { Command } from 'commander'
import { backUp } from '../content/back-up-content.ts'
import { requireApart } from '../content/open.ts'
import { databasePath, requireDatabase } from '../store/directory.ts'
import { requireNone } from '../store/give-name.ts'
import { administerFiles, contentsOf, type FilesOptions } from './contents.ts'
import { print } from './print.ts'
import { dataOf } from './program.ts'
import { requireShipped } from './require-shipped.ts'

export function backupCommand(): Command {
  return administerFiles(
    'backup',
    'back up the database to a file, and the content of files beside it; may run while the server runs',
  )
    .argument('<file>', 'path of the backup; must not exist. The content of files goes to "files" beside it')
    .option('--without-files', 'leave out content that is missing or damaged')
    .action(backup)
}

async function backup(file: string, options: FilesOptions): Promise<void> {
  requireNone(file)
  requireDatabase(dataOf(options))
  requireApart(dirname(file), dataOf(options))
  const path = databasePath(dataOf(options))
  const from = contentsOf(options)
  const end = await requireShipped(path)
  const { bytes, copied } = await backUp(path, file, { from, withoutFiles: options.withoutFiles }).finally(end)
  const files = copied > 0 ? `, and ${copied} files` : ''
  print(options.json, { file, bytes, files: copied }, `Backed up to ${file} (${bytes} bytes)${files}`)
}
