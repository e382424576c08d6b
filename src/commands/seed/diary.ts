import type { Resource } from '../../engine/records/define.ts'
import { type JsonObject, readCreate, readPatch } from '../../engine/records/rows/validate.ts'
import { insert, update } from '../../engine/records/rows/write.ts'
import type { Writer } from '../../store/reader.ts'
import { momentOf } from './calendar.ts'

/** A record that will be created. In a body, it stands for its id. */
export interface Draft {
  readonly resource: Resource
  id: string
}

/** What a user did. */
interface Entry {
  readonly atMs: number
  readonly userId: string
  readonly write: (tx: Writer) => void
}

/** What the users did, in any order. Times are in working days. */
export class Diary {
  readonly #entries: Entry[] = []

  create(time: number, userId: string, resource: Resource, body: JsonObject): Draft {
    const draft: Draft = { resource, id: '' }
    this.#add(time, userId, (tx) => {
      draft.id = insert(resource, tx, readCreate(resource, tx, withIds(body)), {}).id
    })
    return draft
  }

  change(time: number, userId: string, draft: Draft, body: JsonObject): void {
    this.#add(time, userId, (tx) => update(draft.resource, tx, draft.id, readPatch(draft.resource, tx, withIds(body))))
  }

  tell(time: number, userId: string, write: (tx: Writer) => void): void {
    this.#add(time, userId, write)
  }

  /** The earliest entry first. */
  inOrder(): readonly Entry[] {
    return this.#entries.toSorted((a, b) => a.atMs - b.atMs)
  }

  #add(time: number, userId: string, write: (tx: Writer) => void): void {
    this.#entries.push({ atMs: momentOf(time), userId, write })
  }
}

function withIds(body: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(body).map(([name, value]) => [name, isDraft(value) ? value.id : value]))
}

function isDraft(value: unknown): value is Draft {
  return typeof value === 'object' && value !== null && 'resource' in value
}
