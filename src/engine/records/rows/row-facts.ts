import type { Row } from '../definition/change.ts'
import type { Resource } from '../definition/resource.ts'

/** Whether a record belongs to a user, so that the log leaves it out (decision J7). */
export function isOwned({ ownedBy }: Resource, row: Row): boolean {
  return ownedBy !== undefined && (row[ownedBy] ?? null) !== null
}

/** The records because of which a record is deleted. */
export interface Cause {
  /** The one into which it has been merged. */
  mergedInto?: string
  /** The one that it is a part of. */
  deletedWith?: string
}

/** The text that names a record for a reader. */
export function titleOf({ title }: Resource, row: Row): string {
  return title.flatMap((name) => row[name] ?? []).join(' ')
}

/** Whether a change may hide a record from somebody or reveal it. */
export function isAboutVisibility({ visibleBy }: Resource, previous: string): boolean {
  return visibleBy.some((name) => previous.includes(`"${name}":`) && Object.hasOwn(JSON.parse(previous), name))
}
