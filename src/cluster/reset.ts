import { OperatorError } from '../errors.ts'
import { openLogOf } from './options.ts'
import { Place } from './place.ts'
import { readState, writeState } from './state.ts'

/** Removes the log of a data directory, so that its next start begins a new one. The caller holds the directory's lock. Throws OperatorError. */
export async function resetLog(directory: string): Promise<void> {
  const state = readState(directory)
  if (!state) throw new OperatorError(`${directory} belongs to no log: start its server with --log.`)
  const place = new Place(directory, state.settings)
  if (!place.hasDatabase) throw new OperatorError(`There is no database in ${directory}: restore a backup first.`)
  const log = openLogOf(state.settings)
  try {
    const nodes = await log.nodes()
    if (nodes.length > 0) {
      const urls = nodes.map(({ url }) => url).join(', ')
      throw new OperatorError(`Servers of this log run, or ended a moment ago: ${urls}. Stop them, and try again.`)
    }
    const { head } = await log.read(Number.MAX_SAFE_INTEGER)
    place.enter(crypto.randomUUID(), 0)
    place.renumber(head?.position)
    await log.reset()
  } finally {
    log.close()
  }
}

/** After the database was replaced: the directory does not belong to its log any more, until that is reset. */
export function awaitReset(directory: string): void {
  const state = readState(directory)!
  writeState(directory, { ...state, log: 'reset', leading: null, shipping: null })
}
