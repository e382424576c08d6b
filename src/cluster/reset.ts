import { OperatorError } from '../errors.ts'
import { type GivenSettings, withLog } from './options.ts'
import { Place } from './place.ts'
import { readState, writeState } from './state.ts'

/**
 * Removes the log of a data directory, or the one that is given, so that the directory's next start begins a new one. The caller holds the
 * directory's lock. Throws OperatorError.
 */
export async function resetLog(directory: string, given: GivenSettings): Promise<void> {
  const { log: url, advertise, ...settings } = { ...readState(directory)?.settings, ...given }
  if (url === undefined || advertise === undefined) {
    throw new OperatorError(
      `${directory} belongs to no log: say which one it begins anew with --log, and with --advertise the address of its server.`,
    )
  }
  const place = new Place(directory, { ...settings, log: url, advertise })
  if (!place.hasDatabase) throw new OperatorError(`There is no database in ${directory}: restore a backup first.`)
  await withLog(place.settings, async (log) => {
    const nodes = await log.nodes()
    if (nodes.length > 0) {
      const urls = nodes.map(({ url }) => url).join(', ')
      throw new OperatorError(`Servers of this log run, or ended a moment ago: ${urls}. Stop them, and try again.`)
    }
    const { head } = await log.read(Number.MAX_SAFE_INTEGER)
    place.enter(crypto.randomUUID(), 0)
    place.renumber(head?.position)
    await log.reset()
  })
}

/**
 * Before the database is replaced: the directory does not belong to its log any more, until that is reset. Returns a function that takes this
 * back.
 */
export function awaitReset(directory: string): () => void {
  const state = readState(directory)!
  writeState(directory, { ...state, log: 'reset', leading: null, shipping: null })
  return () => writeState(directory, state)
}
