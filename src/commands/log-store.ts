import { systemClock } from '../lib/clock.ts'
import { endLog } from '../lib/log.ts'
import { operator } from '../store/change-log.ts'
import { type Opening, openForCommand, openForServer } from '../store/directory.ts'
import { noDurability, walDurability } from '../store/durability.ts'
import { leaveOpen } from '../store/leave-open.ts'
import { isLocked } from '../store/lock.ts'
import { newestOf } from '../store/migrate.ts'
import type { Schema } from '../store/shape.ts'
import { Store } from '../store/store.ts'

type Run<T> = (store: Store) => T | Promise<T>

/** Runs a command on a data directory that belongs to a log. Throws OperatorError if it would write and another server leads. */
export async function withLogStore<T>(
  directory: string,
  schema: Schema,
  run: Run<T>,
  { references = true }: Opening,
): Promise<T> {
  return (isLocked(directory) ? withServer : withLead)(directory, schema, run, references)
}

async function withServer<T>(directory: string, schema: Schema, run: Run<T>, references: boolean): Promise<T> {
  const { besideServer } = await import('../cluster/command.ts')
  const server = await besideServer(directory)
  const db = openForCommand(directory, schema, { create: false, references })
  let hasWritten = false
  const requireWritable = () => {
    server.requireLead()
    hasWritten = true
  }
  const store = new Store({ db, clock: systemClock, durability: noDurability, origin: operator, requireWritable })
  try {
    const result = await run(store)
    if (hasWritten) await server.confirm()
    return result
  } finally {
    leaveOpen(store) // the server may have ended, or be killed at any moment, and the log may not have its last commits
  }
}

async function withLead<T>(directory: string, schema: Schema, run: Run<T>, references: boolean): Promise<T> {
  endLog() // standard output is for the result of the command
  const { leadFor, openLeader } = await import('../cluster/command.ts')
  const joined = await leadFor(directory, newestOf(schema.steps))
  const { path, db, release } = openForServer(directory, schema, { release: joined.release })
  if (!references) db.pragma('foreign_keys = OFF')
  const local = walDurability(path, () => process.exit(1))
  let store: Store | undefined
  const member = await openLeader(joined, local, () => store)
  store = new Store({ db, clock: systemClock, durability: member.durability, origin: operator })
  try {
    return await run(store)
  } finally {
    if (await member.stop()) await store.close()
    else leaveOpen(store)
    release()
  }
}
