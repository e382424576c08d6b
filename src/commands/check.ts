import type { Command } from 'commander'
import { OperatorError } from '../errors.ts'
import { findDamage } from '../store/check.ts'
import { openExisting } from '../store/copy.ts'
import { databasePath } from '../store/directory.ts'
import { requireOurs } from '../store/migrate.ts'
import { damaged } from '../store/open.ts'
import { schema } from './open-store.ts'
import { print } from './print.ts'
import { administer, type CommonOptions, dataOf } from './program.ts'

export function checkCommand(): Command {
  return administer(
    'check',
    'read the whole database, or a backup, and say whether it is sound; also while the server runs',
  )
    .argument('[file]', "a backup; without it, the data directory's database")
    .action(check)
}

async function check(file: string | undefined, options: CommonOptions): Promise<void> {
  const path = file ?? databasePath(dataOf(options))
  const db = openExisting(path)
  try {
    requireOurs(db, path, schema.steps)
    const damage = findDamage(db, schema)
    if (damage.length > 0) throw new OperatorError([damaged(path).message, ...damage].join('\n'))
    print(options.json, { file: path, sound: true }, `${path} is sound`)
  } finally {
    db.close()
  }
}
