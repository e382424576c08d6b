import * as v from 'valibot'
import { rule } from '../../engine/records/definition/faults.ts'
import { ApiError } from '../../errors.ts'
import type { Image } from '../image.ts'
import type { World } from '../world.ts'

/** The images that every world has: its own start, no records, and the demo. */
const always = ['start', 'empty', 'demo'] as const
const namePattern = /^[A-Za-z0-9._-]{1,100}$/
const form = 'letters, digits, dots, hyphens and underscores, at most 100'

/** The name of an image, or one of `further` names. */
export function imageName(field: string, further: readonly string[] = []) {
  const message = `${field} must be ${[...always, ...further].join(', ')} or the name of a snapshot`
  return v.pipe(
    v.string(message),
    rule('INVALID_VALUE', (name) => namePattern.test(name), message),
  )
}

/** Throws NOT_FOUND if there is no snapshot of this name. */
export async function findImage(world: World, name: string): Promise<Image> {
  if (name === 'start') return world.start
  if (name === 'empty' || name === 'demo') return world.images[name]()
  if (!world.snapshots.has(name)) throw new ApiError('NOT_FOUND', `There is no snapshot "${name}"`)
  return world.snapshots.find(name)
}

/** A name for a snapshot. Throws VALIDATION_ERROR. */
export function readSnapshotName(name: string): string {
  const message = isReserved(name) ? `A snapshot cannot be named ${name}` : `The name of a snapshot has ${form}`
  if (namePattern.test(name) && !isReserved(name)) return name
  throw new ApiError('VALIDATION_ERROR', message, { details: [{ field: 'name', message, code: 'INVALID_FORMAT' }] })
}

/** The dots would be taken for a directory in a URL. */
function isReserved(name: string): boolean {
  return [...always, 'current', '.', '..'].includes(name)
}
