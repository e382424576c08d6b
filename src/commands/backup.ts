import { existsSync } from 'node:fs'
import type { Command } from 'commander'
import { OperatorError } from '../errors.ts'
import { copyDatabase } from '../store/copy.ts'
import { databasePath } from '../store/directory.ts'
import { print } from './print.ts'
import { administer, type CommonOptions, dataOf } from './program.ts'
import { requireShipped } from './require-shipped.ts'

export function backupCommand(): Command {
  return administer('backup', 'back up the database to a file; may run while the server runs')
    .argument('<file>', 'path of the backup; must not exist')
    .action(backup)
}

async function backup(file: string, options: CommonOptions): Promise<void> {
  if (existsSync(file)) throw new OperatorError(`${file} already exists: choose another name.`)
  const path = databasePath(dataOf(options))
  await requireShipped(path)
  const { bytes } = await copyDatabase(path, file)
  print(options.json, { file, bytes }, `Backed up to ${file} (${bytes} bytes)`)
}
